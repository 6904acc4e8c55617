package io.callboard.dashboard.internal.metrics;

import io.callboard.metric.Metric;
import io.callboard.metric.Metrics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Metrics of several origins as one list, each name once. Pure. */
final class MetricsMerge {
  /** Maximum number of samples of a part. */
  static final int MOST_SAMPLES = 20_000;

  private static final String LEFT_OUT = "callboard_metrics_left_out";

  private final Map<String, Metric> all = new LinkedHashMap<>();
  private final Metrics own = new Metrics();
  private final Metrics.Series leftOut =
      own.gauges(
          LEFT_OUT,
          "Metrics of a part that are not shown, by reason; FAILED stands for all of them");

  void add(List<Metric> metrics) {
    metrics.forEach(metric -> all.put(metric.name(), metric));
  }

  /**
   * Adds the metrics of a part.
   *
   * @param metrics empty if they could not be read
   */
  void add(String part, Optional<List<Metric>> metrics) {
    long taken = 0;
    long tooMany = 0;
    int samples = 0;
    for (Metric metric : metrics.orElse(List.of())) {
      int more = metric.samples().size();
      if (all.containsKey(metric.name()) || isOwn(metric)) {
        taken++;
      } else if (samples + more > MOST_SAMPLES) {
        tooMany++;
      } else {
        samples += more;
        all.put(metric.name(), metric);
      }
    }
    count(part, "FAILED", metrics.isPresent() ? 0 : 1);
    count(part, "TAKEN", taken);
    count(part, "TOO_MANY", tooMany);
  }

  private static boolean isOwn(Metric metric) {
    return metric.name().equals(LEFT_OUT);
  }

  private void count(String part, String reason, long number) {
    if (number > 0) {
      leftOut.add(number, "part", part, "reason", reason);
    }
  }

  List<Metric> all() {
    add(own.all());
    return List.copyOf(all.values());
  }
}
