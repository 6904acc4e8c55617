package io.callboard.grid;

import io.callboard.metric.Metric;
import io.callboard.metric.Metrics;
import java.util.List;

/** Series of a node's view of the grid. */
final class GridSeries {
  private GridSeries() {}

  static List<Metric> of(GridCounts grid) {
    Metrics out = new Metrics();
    out.gauge(
        "callboard_members_suspected",
        "Members that this node suspects to have failed",
        grid.suspected());
    grid.findings().ifPresent(found -> findings(out, found));
    return out.all();
  }

  private static void findings(Metrics out, List<Finding> found) {
    Metrics.Series byKind =
        out.gauges(
            "callboard_grid_findings",
            "Findings of the grid monitor, on the node that runs it, by kind");
    for (Finding.Kind kind : Finding.Kind.values()) {
      long count = found.stream().filter(finding -> finding.kind() == kind).count();
      byKind.add(count, "kind", kind.name());
    }
  }
}
