package io.callboard.bench;

import java.util.Arrays;

/** Durations of single operations, in nanoseconds. Not thread-safe. */
final class Latencies {
  private long[] nanos = new long[1024];
  private int count;

  void add(long duration) {
    if (count == nanos.length) {
      nanos = Arrays.copyOf(nanos, 2 * count);
    }
    nanos[count++] = duration;
  }

  /** Returns the quantiles of the given parts, in microseconds; see {@link #micros(double)}. */
  double[] micros(double... parts) {
    return Arrays.stream(parts).map(this::micros).toArray();
  }

  /** Returns the duration within which the given part of all operations stays, in microseconds. */
  double micros(double part) {
    if (count == 0) {
      throw new IllegalStateException("no operation was measured");
    }
    long[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    return sorted[Math.min(count - 1, (int) (part * count))] / 1e3;
  }
}
