package io.callboard.internal.metrics;

import io.callboard.admin.Distribution;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;

/**
 * Histogram with fixed buckets; written from any thread, without a lock and without an allocation.
 */
public final class Histogram {
  private final long[] bounds;
  private final LongAdder[] counts;
  private final LongAdder sum = new LongAdder();

  /**
   * @param bounds the highest value of each bucket, rising; one more bucket takes the rest
   */
  public Histogram(long... bounds) {
    this.bounds = bounds.clone();
    for (int i = 1; i < bounds.length; i++) {
      if (bounds[i] <= bounds[i - 1]) {
        throw new IllegalArgumentException(
            "bounds must rise, not from %d to %d".formatted(bounds[i - 1], bounds[i]));
      }
    }
    this.counts = new LongAdder[bounds.length + 1];
    Arrays.setAll(counts, i -> new LongAdder());
  }

  /** Makes a histogram of nanoseconds: 1, 2 and 5 of each power of ten from 100 µs to 50 s. */
  public static Histogram ofNanos() {
    return ofNanos(100_000, 18);
  }

  /**
   * Makes a histogram of nanoseconds with short ones: 1, 2 and 5 of each power of ten from 1 µs to
   * 50 s.
   */
  public static Histogram ofShortNanos() {
    return ofNanos(1_000, 24);
  }

  private static Histogram ofNanos(long first, int size) {
    long[] bounds = new long[size];
    long decade = first;
    for (int i = 0; i < bounds.length; i += 3, decade *= 10) {
      bounds[i] = decade;
      bounds[i + 1] = 2 * decade;
      bounds[i + 2] = 5 * decade;
    }
    return new Histogram(bounds);
  }

  /**
   * Makes a histogram of counts: 1, 2, 4 and so on.
   *
   * @param most the last bound, a power of two
   */
  public static Histogram ofPowers(int most) {
    long[] bounds = new long[Integer.numberOfTrailingZeros(Integer.highestOneBit(most)) + 1];
    Arrays.setAll(bounds, i -> 1L << i);
    return new Histogram(bounds);
  }

  public void record(long value) {
    int bucket = 0;
    while (bucket < bounds.length && value > bounds[bucket]) {
      bucket++;
    }
    counts[bucket].increment();
    sum.add(value);
  }

  /** Returns the present counts; values recorded meanwhile may be included or not. */
  public Distribution snapshot() {
    long[] now = new long[counts.length];
    for (int i = 0; i < now.length; i++) {
      now[i] = counts[i].sum();
    }
    return new Distribution(bounds.clone(), now, sum.sum());
  }
}
