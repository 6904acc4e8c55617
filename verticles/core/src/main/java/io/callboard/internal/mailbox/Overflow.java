package io.callboard.internal.mailbox;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Queue of an actor's messages to itself that a full lane took not: each comes when the messages
 * that were in the lane before it have been taken, as if it had had a place there. Many producers,
 * one consumer.
 */
final class Overflow {
  private final Lane lane;
  private final Queue<Entry> entries = new ConcurrentLinkedQueue<>();
  private final AtomicInteger count = new AtomicInteger();

  /** Number of the entries that a limit may drop. */
  private final AtomicInteger limited = new AtomicInteger();

  /**
   * Message without a place in the lane.
   *
   * @param after number of the items of the lane that come before it
   */
  private record Entry(Delivery message, long after) {}

  Overflow(Lane lane) {
    this.lane = lane;
  }

  /** Adds a message behind those that are in the lane now. */
  void add(Delivery message) {
    Entry entry = new Entry(message, lane.added());
    count.incrementAndGet();
    limited.addAndGet(weight(entry));
    entries.add(entry);
  }

  /** Removes the next message if its turn has come; else null. By the consumer only. */
  @Nullable Delivery poll() {
    Entry first = entries.peek();
    if (first == null || lane.taken() < first.after()) {
      return null;
    }
    entries.remove();
    count.decrementAndGet();
    limited.addAndGet(-weight(first));
    return first.message();
  }

  private static int weight(Entry entry) {
    return entry.message().isOwn() ? 0 : 1;
  }

  /** Returns the number of messages that a limit may drop. */
  int limited() {
    return limited.get();
  }

  boolean isEmpty() {
    return count.get() == 0;
  }

  int size() {
    return count.get();
  }
}
