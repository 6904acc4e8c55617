package io.callboard.bench;

import io.callboard.bench.Signal.Item;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/** Counts of what one receiver takes; from each sender it must be complete and in order. */
final class Tally {
  private final AtomicLongArray taken;
  private final AtomicInteger wrong = new AtomicInteger();

  Tally(int senders) {
    taken = new AtomicLongArray(senders);
  }

  /** Counts an item; called by the receiver only. */
  void take(Item item) {
    long number = taken.getPlain(item.sender());
    if (item.number() != number) {
      wrong.incrementAndGet();
    }
    taken.setRelease(item.sender(), number + 1);
  }

  /** Returns the number of items from that sender. */
  long taken(int sender) {
    return taken.getAcquire(sender);
  }

  /** Returns the number of items from all senders. */
  long taken() {
    long sum = 0;
    for (int sender = 0; sender < taken.length(); sender++) {
      sum += taken(sender);
    }
    return sum;
  }

  /** Returns whether {@link #check} would throw. */
  boolean isWrong() {
    return wrong.get() > 0;
  }

  /**
   * @throws IllegalStateException if anything was lost, doubled or out of order
   */
  void check() {
    if (isWrong()) {
      throw new IllegalStateException(wrong + " messages were not those expected");
    }
  }
}
