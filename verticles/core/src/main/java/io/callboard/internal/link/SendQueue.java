package io.callboard.internal.link;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jctools.queues.atomic.MpscChunkedAtomicArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * Queue of outgoing messages from this node's senders to the router: many producers, one consumer,
 * bounded.
 */
final class SendQueue {
  private static final int CHUNK = 1_024;
  private static final int MESSAGES = 65_536;
  private static final long BYTES = 64 << 20;

  private final MpscChunkedAtomicArrayQueue<OutgoingMessage> queue =
      new MpscChunkedAtomicArrayQueue<>(CHUNK, MESSAGES);
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicBoolean scheduled = new AtomicBoolean();

  /** Adds a message; false if the router is too far behind. */
  boolean offer(OutgoingMessage outgoingMessage) {
    int size = outgoingMessage.bytes();
    if (bytes.addAndGet(size) <= BYTES && queue.offer(outgoingMessage)) {
      return true;
    }
    bytes.addAndGet(-size);
    return false;
  }

  /** Returns whether the caller must schedule the consumer. */
  boolean wake() {
    return !scheduled.get() && scheduled.compareAndSet(false, true);
  }

  /**
   * Removes the next message; null if there is none. By the consumer only, which calls {@link
   * #taken} later.
   */
  @Nullable OutgoingMessage poll() {
    return queue.poll();
  }

  /** Reports that so many bytes were polled. */
  void taken(long size) {
    bytes.addAndGet(-size);
  }

  /** Ends the consumer's run; true if it must go on, because a message came meanwhile. */
  boolean restOrGoOn() {
    scheduled.set(false);
    return !queue.isEmpty() && wake();
  }
}
