package io.callboard.internal.mailbox;

import org.jctools.queues.unpadded.MpscGrowableUnpaddedArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * A lane that refuses what is over its limit. Small while it is idle; grows with its backlog, up to
 * what its limit needs, and then allocates nothing more.
 */
final class RejectingLane extends MpscGrowableUnpaddedArrayQueue<Object> implements Lane {
  private static final int INITIAL = 4;
  private static final int MOST = 1 << 29;

  private final int limit;

  /** As of when a sender last looked: so it need not look at what the taker writes all the time. */
  private volatile long taken;

  /**
   * @param limit messages, 2³⁰ at most, whatever it says; senders at the same moment may go over it
   *     by one each
   */
  RejectingLane(int limit) {
    super(INITIAL, 2 * Math.max(2 * INITIAL, Math.min(limit, MOST)));
    this.limit = limit;
  }

  @Override
  public @Nullable Object put(Object item) {
    long sent = currentProducerIndex();
    if (sent - taken >= limit) {
      taken = currentConsumerIndex();
      if (sent - taken >= limit) {
        return item;
      }
    }
    return offer(item) ? null : item;
  }
}
