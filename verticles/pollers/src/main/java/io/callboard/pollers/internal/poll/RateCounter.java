package io.callboard.pollers.internal.poll;

import io.callboard.time.Machine;
import java.time.Duration;
import java.time.Instant;

/** Count of what happened, and how often a second in the last minute. Not thread-safe. */
@Machine
public final class RateCounter {
  private static final int SECONDS = 60;

  private final long[] buckets = new long[SECONDS];
  private final long begun;
  private long newest;
  private long total;

  /** Creates a count of nothing. */
  public RateCounter(Instant now) {
    this.begun = now.getEpochSecond();
    this.newest = begun;
  }

  /** Adds to the count. */
  public void add(int count, Instant now) {
    forward(now);
    buckets[Math.floorMod(newest, SECONDS)] += count;
    total += count;
  }

  private void forward(Instant now) {
    long second = now.getEpochSecond();
    long from = Math.max(newest + 1, second - SECONDS + 1);
    for (long each = from; each <= second; each++) {
      buckets[Math.floorMod(each, SECONDS)] = 0;
    }
    newest = Math.max(newest, second);
  }

  /** Returns the count. */
  public long total() {
    return total;
  }

  /** Returns the rate. */
  public double rate(Instant now) {
    forward(now);
    long sum = 0;
    for (long each : buckets) {
      sum += each;
    }
    long seconds =
        Math.max(1, Math.min(Duration.ofSeconds(SECONDS).toSeconds(), newest - begun + 1));
    return (double) sum / seconds;
  }
}
