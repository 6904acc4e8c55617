package io.callboard.dashboard.internal.chart;

import io.callboard.admin.Distribution;
import io.callboard.time.Machine;
import java.util.Map;

/**
 * Reading of a node's figures.
 *
 * @param counts counters since the node's start, by name
 * @param backlog jobs that wait now, by type
 * @param times histograms since the node's start, by name
 */
@Machine
record Sample(
    Map<String, Long> counts, Map<String, Long> backlog, Map<String, Distribution> times) {
  /** Copies the maps. */
  Sample {
    counts = Map.copyOf(counts);
    backlog = Map.copyOf(backlog);
    times = Map.copyOf(times);
  }
}
