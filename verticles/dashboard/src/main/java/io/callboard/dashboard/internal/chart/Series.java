package io.callboard.dashboard.internal.chart;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.admin.Distribution;
import io.callboard.dashboard.internal.chart.History.Window;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Curves of a range as JSON, by chart. Pure. */
final class Series {
  /** Maximum number of types with a curve of their own. */
  static final int MOST_TYPES = 7;

  private static final String OTHER = "other";
  private static final MathContext DIGITS = new MathContext(4);
  private static final double NANOS = 1e9;

  private final Window window;
  private final ArrayNode all = JsonNodeFactory.instance.arrayNode();

  /** Scope of a curve: all jobs of the cell, the node, or the jobs of the node's partitions. */
  private enum Scope {
    CELL,
    NODE,
    PARTITIONS
  }

  private Series(Window window) {
    this.window = window;
  }

  /**
   * Returns the curves.
   *
   * @param jobs whether the node has a job scheduler
   */
  static ObjectNode of(Window window, boolean jobs) {
    Series series = new Series(window);
    if (jobs) {
      series.rate("runs", "started", Scope.CELL, Recorder.RUNS_STARTED);
      series.rate("runs", "ended", Scope.CELL, Recorder.RUNS_ENDED);
      series.backlog();
      series.quantiles("jobWaits", Scope.PARTITIONS, Recorder.JOB_WAITS);
      series.count("failures", "runs", Scope.PARTITIONS, Recorder.RUNS_FAILED);
    }
    series.count("failures", "actors", Scope.NODE, Recorder.ACTORS_FAILED);
    series.count("failures", "parked", Scope.NODE, Recorder.PARKED);
    series.count("failures", "dead", Scope.NODE, Recorder.DEAD);
    series.rate("messages", "handled", Scope.NODE, Recorder.HANDLED);
    series.rate("messages", "sent", Scope.NODE, Recorder.SENT);
    series.rate("messages", "turns", Scope.NODE, Recorder.TURNS);
    series.quantiles("commits", Scope.NODE, Recorder.COMMITS);
    series.quantiles("threadWaits", Scope.NODE, Recorder.THREAD_WAITS);
    return series.json();
  }

  private ObjectNode json() {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("range", window.range().label())
            .put("step", window.range().step().toString())
            .put("from", window.from().toString());
    if (window.since() != null) {
      json.put("since", window.since().toString());
    }
    ArrayNode measured = json.putArray("measured");
    window
        .steps()
        .forEach(step -> measured.add(step == null ? 0 : step.measured().toMillis() / 1e3));
    json.set("series", all);
    return json;
  }

  private void rate(String chart, String name, Scope scope, String counter) {
    add(
        chart,
        name,
        "per second",
        scope,
        step -> step.count(counter) * NANOS / step.measured().toNanos());
  }

  private void count(String chart, String name, Scope scope, String counter) {
    add(chart, name, "per step", scope, step -> (double) step.count(counter));
  }

  private void quantiles(String chart, Scope scope, String times) {
    add(chart, "p50", "seconds", scope, step -> quantile(step.times(times), 0.5));
    add(chart, "p99", "seconds", scope, step -> quantile(step.times(times), 0.99));
  }

  private static @Nullable Double quantile(@Nullable Distribution times, double share) {
    return times == null ? null : Double.valueOf(times.quantile(share) / NANOS);
  }

  /** Adds the types that waited most within the range, and the others together. */
  private void backlog() {
    List<String> most = mostWaiting();
    for (String type : most) {
      add("backlog", type, "jobs", Scope.CELL, step -> step.waiting(type));
    }
    add(
        "backlog",
        OTHER,
        "jobs",
        Scope.CELL,
        step -> Math.max(0, step.waiting() - most.stream().mapToDouble(step::waiting).sum()));
    ((ObjectNode) all.get(all.size() - 1)).put("rest", true);
  }

  private List<String> mostWaiting() {
    Map<String, Double> sums = new HashMap<>();
    for (Step step : window.steps()) {
      if (step != null) {
        step.types().keySet().forEach(type -> sums.merge(type, step.waiting(type), Double::sum));
      }
    }
    return sums.entrySet().stream()
        .sorted(
            Comparator.<Map.Entry<String, Double>>comparingDouble(each -> -each.getValue())
                .thenComparing(Map.Entry::getKey))
        .limit(MOST_TYPES)
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
  }

  private void add(
      String chart, String name, String unit, Scope scope, Function<Step, @Nullable Double> value) {
    ObjectNode series =
        all.addObject()
            .put("chart", chart)
            .put("name", name)
            .put("unit", unit)
            .put("scope", scope.name());
    ArrayNode values = series.putArray("values");
    for (Step step : window.steps()) {
      Double known = step == null ? null : value.apply(step);
      if (known == null) {
        values.addNull();
      } else {
        values.add(new BigDecimal(known).round(DIGITS).doubleValue());
      }
    }
  }
}
