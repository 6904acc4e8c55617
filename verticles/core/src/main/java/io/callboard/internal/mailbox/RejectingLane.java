package io.callboard.internal.mailbox;

import org.jctools.queues.atomic.unpadded.MpscGrowableAtomicUnpaddedArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * Lane that rejects messages beyond its limit. Small while it is idle; grows with its backlog, up
 * to what its limit needs, and then allocates nothing more.
 */
final class RejectingLane extends MpscGrowableAtomicUnpaddedArrayQueue<Object> implements Lane {
  private static final int INITIAL = 4;
  private static final int MOST = 1 << 29;

  private final int limit;

  /**
   * Index of the consumer when a producer last read it, so that producers need not read it every
   * time.
   */
  private volatile long taken;

  /**
   * @param limit in messages, at most 2³⁰; concurrent producers may exceed it by one each
   */
  RejectingLane(int limit) {
    super(INITIAL, 2 * Math.max(2 * INITIAL, Math.min(limit, MOST)));
    this.limit = limit;
  }

  @Override
  public long added() {
    return currentProducerIndex();
  }

  @Override
  public long taken() {
    return currentConsumerIndex();
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
