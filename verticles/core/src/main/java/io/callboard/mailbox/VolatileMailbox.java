package io.callboard.mailbox;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jctools.queues.MpscUnboundedArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * The bounded queue of one actor in memory: many senders, one taker.
 *
 * <p>The sender that finds it idle schedules the taker, once ({@link #wake()}); so a burst costs
 * one task on the actor's context, not one a message.
 */
public final class VolatileMailbox {
  private static final int CHUNK = 64;

  private final MpscUnboundedArrayQueue<Delivery> queue = new MpscUnboundedArrayQueue<>(CHUNK);
  private final AtomicInteger size = new AtomicInteger();
  private final AtomicBoolean scheduled = new AtomicBoolean();
  private final int limit;

  public VolatileMailbox(int limit) {
    this.limit = limit;
  }

  public int limit() {
    return limit;
  }

  /** Whether it was taken; false if the mailbox is at its limit. */
  public boolean offer(Delivery delivery) {
    if (size.incrementAndGet() > limit) {
      size.decrementAndGet();
      return false;
    }
    return queue.add(delivery);
  }

  /** The next message; null if there is none. By the taker only. */
  public @Nullable Delivery poll() {
    Delivery next = queue.poll();
    if (next != null) {
      size.decrementAndGet();
    }
    return next;
  }

  /** Whether the caller must schedule the taker. */
  public boolean wake() {
    return scheduled.compareAndSet(false, true);
  }

  /** The taker goes to rest. */
  public void rest() {
    scheduled.set(false);
  }

  /** The taker goes to rest; true if it must go on, because a message came meanwhile. */
  public boolean restOrGoOn() {
    rest();
    return !queue.isEmpty() && wake();
  }

  public int size() {
    return size.get();
  }
}
