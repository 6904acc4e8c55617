package io.callboard.bench;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Messages that arrive at a steady rate, and their lag: those that were put into the queue and that
 * no step has begun to handle.
 */
final class Arrival {
  private static final int PAUSE_MS = 5;

  private final Supply supply;
  private final Map<Integer, Long> waiting = new ConcurrentHashMap<>();
  private double rate;
  private long begun;
  private int due;
  private int sent;
  private int mark = Integer.MAX_VALUE;
  private long largestNanos;
  private long firstNanos;
  private int again;

  Arrival(Supply supply) {
    this.supply = supply;
  }

  /** Puts messages at once; returns at which rate a second they were handled. */
  double burst(int count, Duration limit) throws Exception {
    long start = System.nanoTime();
    put(count);
    end(limit);
    return count / ((System.nanoTime() - start) / 1e9);
  }

  /** Sets the number of messages that arrive a second from now on. */
  void begin(double perSecond) {
    rate = perSecond;
    begun = System.nanoTime();
    due = 0;
  }

  private void put(int count) throws Exception {
    long now = System.nanoTime();
    for (int i = 1; i <= count; i++) {
      waiting.put(sent + i, now);
    }
    supply.put(count);
    sent += count;
  }

  /** Waits a moment and puts what is due; returns how many messages wait. */
  int look() throws Exception {
    TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
    int more = (int) (rate * (System.nanoTime() - begun) / 1e9) - due;
    if (more > 0) {
      put(more);
      due += more;
    }
    return waiting.size();
  }

  /** Goes on for a time; returns the largest number of messages that waited. */
  int largest(Duration time) throws Exception {
    long end = System.nanoTime() + time.toNanos();
    int largest = 0;
    while (System.nanoTime() < end) {
      largest = Math.max(largest, look());
    }
    return largest;
  }

  /** Has from now on a new largest wait, and a first message that comes later. */
  synchronized void mark() {
    mark = sent;
    largestNanos = 0;
    firstNanos = 0;
    again = 0;
  }

  /** A step has begun to handle a message. */
  synchronized void handled(int number) {
    Long put = waiting.remove(number);
    if (put == null) {
      again++;
      return;
    }
    long now = System.nanoTime();
    largestNanos = Math.max(largestNanos, now - put);
    if (number > mark && firstNanos == 0) {
      firstNanos = now;
    }
  }

  /** Returns for how long a message that was handled since the mark has waited at most. */
  synchronized double largestMillis() {
    return largestNanos / 1e6;
  }

  /** Returns when the first message was handled that came after the mark. */
  synchronized long firstNanos() {
    return firstNanos;
  }

  /** Returns how many messages were handled again since the mark. */
  synchronized int again() {
    return again;
  }

  /** Waits until each message was handled. */
  void end(Duration limit) throws Exception {
    Load.await("the end of each message", limit, waiting::isEmpty);
  }
}
