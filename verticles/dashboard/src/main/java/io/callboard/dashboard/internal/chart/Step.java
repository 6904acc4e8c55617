package io.callboard.dashboard.internal.chart;

import io.callboard.admin.Distribution;
import io.callboard.time.Machine;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Measurements of one step of a range: sums of counters, sums of what waited at each sample, and
 * merged histograms, so that rates, means and quantiles of it are exact. Not thread-safe.
 */
@Machine
final class Step {
  /** Maximum number of types with a backlog of their own; the rest are summed up. */
  static final int MOST_TYPES = 50;

  private final Map<String, Long> counts = new HashMap<>();
  private final Map<String, Long> backlog = new HashMap<>();
  private final Map<String, Distribution> times = new HashMap<>();
  private Duration measured = Duration.ZERO;
  private long others;
  private int samples;

  /** Adds the increase between two samples, and the number of waiting jobs at the second. */
  void add(Sample before, Sample now, Duration between) {
    measured = measured.plus(between);
    samples++;
    now.counts()
        .forEach(
            (name, count) -> {
              long more = count - before.counts().getOrDefault(name, 0L);
              counts.merge(name, Math.max(0, more), Long::sum);
            });
    now.times()
        .forEach(
            (name, all) -> {
              Distribution earlier = before.times().get(name);
              times.merge(name, earlier == null ? all : all.since(earlier), Step::merged);
            });
    waiting(now.backlog());
  }

  private void waiting(Map<String, Long> now) {
    TreeSet<Map.Entry<String, Long>> most =
        new TreeSet<>(
            Comparator.<Map.Entry<String, Long>>comparingLong(each -> -each.getValue())
                .thenComparing(Map.Entry::getKey));
    now.entrySet().stream().filter(each -> each.getValue() > 0).forEach(most::add);
    for (Map.Entry<String, Long> each : most) {
      if (backlog.containsKey(each.getKey()) || backlog.size() < MOST_TYPES) {
        backlog.merge(each.getKey(), each.getValue(), Long::sum);
      } else {
        others += each.getValue();
      }
    }
  }

  /** Returns the values of two histograms with the same buckets. */
  static Distribution merged(Distribution one, Distribution other) {
    long[] sum = one.counts().clone();
    for (int i = 0; i < sum.length; i++) {
      sum[i] += other.counts()[i];
    }
    return new Distribution(one.bounds(), sum, one.sum() + other.sum());
  }

  /** Returns the time that was measured. */
  Duration measured() {
    return measured;
  }

  /** Returns by how much a counter has grown. */
  long count(String name) {
    return counts.getOrDefault(name, 0L);
  }

  /** Returns the number of waiting jobs of a type, on average of the samples. */
  double waiting(String type) {
    return (double) backlog.getOrDefault(type, 0L) / samples;
  }

  /** Returns the number of waiting jobs of all types together, on average of the samples. */
  double waiting() {
    long sum = others + backlog.values().stream().mapToLong(Long::longValue).sum();
    return (double) sum / samples;
  }

  /** Returns the types that are known by name, with the sums of their samples. */
  Map<String, Long> types() {
    return backlog;
  }

  /** Returns the values that were added to a histogram; null for none. */
  @Nullable Distribution times(String name) {
    Distribution found = times.get(name);
    return found == null || found.count() == 0 ? null : found;
  }
}
