package io.callboard.admin;

import java.util.Arrays;

/**
 * Snapshot of a histogram: counts of values by bucket.
 *
 * @param bounds the highest value of each bucket
 * @param counts values in each bucket; one longer than {@code bounds}, for the rest
 * @param sum of all values
 */
@SuppressWarnings("ArrayRecordComponent")
public record Distribution(long[] bounds, long[] counts, long sum) {
  /** Returns the number of values. */
  public long count() {
    return Arrays.stream(counts).sum();
  }

  /**
   * Returns the values that were added since {@code earlier}.
   *
   * @param earlier a snapshot of the same histogram
   */
  public Distribution since(Distribution earlier) {
    long[] more = counts.clone();
    for (int i = 0; i < more.length; i++) {
      more[i] -= earlier.counts[i];
    }
    return new Distribution(bounds, more, sum - earlier.sum);
  }

  /**
   * Returns the quantile of the values, interpolated within its bucket; 0 if there are no values,
   * the highest bound if it lies beyond.
   *
   * @param share 0 to 1
   */
  public double quantile(double share) {
    double rank = share * count();
    double below = 0;
    for (int i = 0; i < bounds.length; i++) {
      if (counts[i] > 0 && below + counts[i] >= rank) {
        double from = i == 0 ? 0 : bounds[i - 1];
        return from + (bounds[i] - from) * Math.max(0, rank - below) / counts[i];
      }
      below += counts[i];
    }
    return count() == 0 || bounds.length == 0 ? 0 : bounds[bounds.length - 1];
  }
}
