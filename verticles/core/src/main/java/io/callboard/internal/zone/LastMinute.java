package io.callboard.internal.zone;

import io.callboard.admin.Distribution;
import java.util.ArrayDeque;
import java.util.Deque;

/** Samples of the counts of the last minute, for figures about it. Thread-safe. */
final class LastMinute {
  private static final int SAMPLES = 12;
  private static final long EVERY_NANOS = 5_000_000_000L;

  private final Deque<Sample> samples = new ArrayDeque<>();

  /** Counts at a time. */
  record Sample(long atNanos, Distribution waits, long busyNanos) {}

  LastMinute(Sample begin) {
    samples.add(begin);
  }

  /** Returns whether the next sample is due. */
  synchronized boolean isDue(long nowNanos) {
    return nowNanos - samples.getLast().atNanos() >= EVERY_NANOS;
  }

  synchronized void add(Sample sample) {
    samples.add(sample);
    if (samples.size() > SAMPLES + 1) {
      samples.removeFirst();
    }
  }

  /** Returns the oldest sample, at most about a minute old. */
  synchronized Sample begin() {
    return samples.getFirst();
  }
}
