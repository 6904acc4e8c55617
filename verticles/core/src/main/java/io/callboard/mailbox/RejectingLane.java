package io.callboard.mailbox;

import org.jctools.queues.unpadded.MpscGrowableUnpaddedArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * A lane that refuses what is over its limit. Small while it is idle; grows with its backlog, up to
 * what its limit needs, and then allocates nothing more.
 */
final class RejectingLane implements Lane {
  private static final int INITIAL = 8;

  private final int limit;
  private final MpscGrowableUnpaddedArrayQueue<Object> queue;

  /** As of when a sender last looked: so it need not look at what the taker writes all the time. */
  private volatile long taken;

  /**
   * @param limit messages, at most 2³⁰; senders at the same moment may go over it by one each
   */
  RejectingLane(int limit) {
    this.limit = limit;
    this.queue = new MpscGrowableUnpaddedArrayQueue<>(INITIAL, Math.max(4 * INITIAL, 2 * limit));
  }

  @Override
  public @Nullable Object offer(Object item) {
    long sent = queue.currentProducerIndex();
    if (sent - taken >= limit) {
      taken = queue.currentConsumerIndex();
      if (sent - taken >= limit) {
        return item;
      }
    }
    return queue.offer(item) ? null : item;
  }

  @Override
  public @Nullable Object poll() {
    return queue.poll();
  }

  @Override
  public boolean isEmpty() {
    return queue.isEmpty();
  }

  @Override
  public int size() {
    return queue.size();
  }
}
