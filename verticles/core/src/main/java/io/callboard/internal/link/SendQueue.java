package io.callboard.internal.link;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jctools.queues.MpscChunkedArrayQueue;
import org.jspecify.annotations.Nullable;

/** What this node's senders have for the router: many senders, one taker, bounded. */
final class SendQueue {
  private static final int CHUNK = 1_024;
  private static final int MESSAGES = 65_536;
  private static final long BYTES = 64 << 20;

  private final MpscChunkedArrayQueue<OutgoingMessage> queue =
      new MpscChunkedArrayQueue<>(CHUNK, MESSAGES);
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicBoolean scheduled = new AtomicBoolean();

  /** Whether it was taken; false if the router is too far behind. */
  boolean offer(OutgoingMessage outgoingMessage) {
    int size = outgoingMessage.bytes();
    if (bytes.addAndGet(size) <= BYTES && queue.offer(outgoingMessage)) {
      return true;
    }
    bytes.addAndGet(-size);
    return false;
  }

  /** Whether the caller must schedule the taker. */
  boolean wake() {
    return !scheduled.get() && scheduled.compareAndSet(false, true);
  }

  /** The next one; null if there is none. By the taker only, which {@link #taken} later. */
  @Nullable OutgoingMessage poll() {
    return queue.poll();
  }

  /** So many bytes were polled. */
  void taken(long size) {
    bytes.addAndGet(-size);
  }

  /** The taker goes to rest; true if it must go on, because a message came meanwhile. */
  boolean restOrGoOn() {
    scheduled.set(false);
    return !queue.isEmpty() && wake();
  }
}
