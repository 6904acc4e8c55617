package io.callboard.dashboard.internal.metrics;

import static io.callboard.dashboard.internal.metrics.PrometheusWriter.label;

import io.callboard.cell.LeaseCounts;
import io.callboard.grid.Finding;
import io.callboard.grid.GridCounts;
import java.util.List;

/** Series of the node's partitions and of its view of the grid. Pure. */
final class GridSeries {
  private GridSeries() {}

  static void write(PrometheusWriter out, LeaseCounts leases, GridCounts grid) {
    out.head("callboard_owned", "gauge", "Partitions and roles that this node owns");
    out.line("callboard_owned", label("kind", "partition"), leases.partitions());
    out.line("callboard_owned", label("kind", "role"), leases.roles());
    String taken = "callboard_owned_taken_total";
    out.head(taken, "counter", "Partitions and roles taken, by how their previous owner was lost");
    leases
        .taken()
        .forEach(
            (vacancyReason, count) -> out.line(taken, label("cause", vacancyReason.name()), count));
    out.counter(
        "callboard_owned_left_total",
        "Partitions and roles released, or taken over by other nodes",
        leases.left());
    out.gauge(
        "callboard_members_suspected",
        "Members that this node suspects to have failed",
        grid.suspected());
    grid.findings().ifPresent(found -> findings(out, found));
  }

  private static void findings(PrometheusWriter out, List<Finding> found) {
    String name = "callboard_grid_findings";
    out.head(name, "gauge", "Findings of the grid monitor, on the node that runs it, by kind");
    for (Finding.Kind kind : Finding.Kind.values()) {
      long count = found.stream().filter(finding -> finding.kind() == kind).count();
      out.line(name, label("kind", kind.name()), count);
    }
  }
}
