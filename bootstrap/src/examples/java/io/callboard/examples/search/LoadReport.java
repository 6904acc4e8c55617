package io.callboard.examples.search;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Report of a load of queries. Not thread-safe. */
public final class LoadReport {
  private final List<Long> latenciesNs = new ArrayList<>();
  private final Map<String, Integer> failures = new TreeMap<>();
  private long whole;
  private long partial;
  private long rerouted;
  private long seconds;

  void answered(long ns, boolean isPartial, boolean wasRerouted) {
    latenciesNs.add(ns);
    if (isPartial) {
      partial++;
    } else {
      whole++;
    }
    if (wasRerouted) {
      rerouted++;
    }
  }

  void failed(String why) {
    failures.merge(why, 1, Integer::sum);
  }

  void ended(Duration took) {
    seconds = Math.max(1, took.toSeconds());
    Collections.sort(latenciesNs);
  }

  /** Queries with a complete response. */
  public long answered() {
    return whole + partial;
  }

  /** Returns the number of responses that lacked a share. */
  public long partial() {
    return partial;
  }

  /** Returns the number of responses for which a tree was asked again. */
  public long rerouted() {
    return rerouted;
  }

  /** Queries without a complete response, by reason. */
  public Map<String, Integer> failures() {
    return Map.copyOf(failures);
  }

  /** Returns a latency in milliseconds; quantile 1 is the longest. */
  public double latency(double quantile) {
    if (latenciesNs.isEmpty()) {
      return Double.NaN;
    }
    int at = (int) Math.ceil(quantile * latenciesNs.size()) - 1;
    return latenciesNs.get(Math.max(0, at)) / 1e6;
  }

  /** Returns one line. */
  @Override
  public String toString() {
    return "%d queries, %d/s: %d whole, %d partial, %d rerouted, failed %s; p50 %.1f ms, p99 %.1f ms, longest %.1f ms"
        .formatted(
            answered() + failures.values().stream().mapToInt(Integer::intValue).sum(),
            answered() / Math.max(1, seconds),
            whole,
            partial,
            rerouted,
            failures.isEmpty() ? "0" : failures.toString(),
            latency(0.5),
            latency(0.99),
            latency(1));
  }
}
