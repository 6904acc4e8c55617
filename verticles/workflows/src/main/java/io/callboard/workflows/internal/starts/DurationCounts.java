package io.callboard.workflows.internal.starts;

import io.callboard.admin.Distribution;
import io.callboard.time.Machine;
import io.callboard.workflows.model.DurationSummary;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Histogram of durations, of eight buckets for each power of two from a millisecond on. Mutable
 * nowhere; two of them can be added.
 *
 * @param counts numbers of durations by bucket, without zeros at the end
 */
@Machine
public record DurationCounts(List<Long> counts) {
  /** Histogram of no duration. */
  public static final DurationCounts NONE = new DurationCounts(List.of());

  private static final int PARTS = 8;
  private static final int PARTS_BITS = 3;

  /** Number of buckets: up to some four months. */
  static final int BUCKETS = 32 * PARTS;

  /** Copies the list. */
  public DurationCounts {
    counts = List.copyOf(counts);
  }

  /** Returns the bucket of a duration. */
  public static int bucket(Duration duration) {
    long millis = Math.max(0, duration.toMillis());
    if (millis < PARTS) {
      return (int) millis;
    }
    int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(millis);
    int part = (int) (millis >> (power - PARTS_BITS)) - PARTS;
    return Math.min(BUCKETS - 1, (power - PARTS_BITS + 1) * PARTS + part);
  }

  /** Returns the highest duration of a bucket, in milliseconds. */
  static long bound(int bucket) {
    int power = bucket / PARTS;
    long part = bucket % PARTS;
    return power == 0 ? part : ((PARTS + part + 1) << (power - 1)) - 1;
  }

  /** Returns the histogram of these numbers by bucket. */
  public static DurationCounts of(long[] numbers) {
    List<Long> counts = new ArrayList<>();
    int size = numbers.length;
    while (size > 0 && numbers[size - 1] == 0) {
      size--;
    }
    for (int i = 0; i < size; i++) {
      counts.add(numbers[i]);
    }
    return new DurationCounts(counts);
  }

  /** Returns the sum of two histograms. */
  public DurationCounts plus(DurationCounts other) {
    long[] sum = new long[Math.max(counts.size(), other.counts.size())];
    for (int i = 0; i < sum.length; i++) {
      sum[i] =
          (i < counts.size() ? counts.get(i) : 0)
              + (i < other.counts.size() ? other.counts.get(i) : 0);
    }
    return of(sum);
  }

  /** Returns the summary of the durations. */
  public DurationSummary summary() {
    long[] bounds = new long[counts.size()];
    long[] numbers = new long[counts.size() + 1];
    for (int i = 0; i < counts.size(); i++) {
      bounds[i] = bound(i);
      numbers[i] = counts.get(i);
    }
    Distribution all = new Distribution(bounds, numbers, 0);
    return new DurationSummary(all.count(), quantile(all, 0.5), quantile(all, 0.99));
  }

  private static @Nullable Duration quantile(Distribution all, double share) {
    return all.count() == 0 ? null : Duration.ofMillis(Math.round(all.quantile(share)));
  }
}
