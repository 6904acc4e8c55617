package io.callboard.workflows;

import io.callboard.metric.Metric;
import io.callboard.metric.Metrics;
import io.callboard.workflows.model.InstanceArchiveStatus;
import java.util.List;

/** Series of the workflow engine, as a node sees it. */
final class InstanceSeries {
  private InstanceSeries() {}

  static List<Metric> of(InstanceArchiveStatus instances) {
    Metrics out = new Metrics();
    out.gauge(
        "callboard_workflows_ended",
        "Workflow instances of this node's partitions that have ended and are in the cell",
        instances.ended());
    out.gauge(
        "callboard_workflows_archive_away",
        "Whether ended workflow instances cannot be archived and removed now",
        instances.awaySince() == null ? 0 : 1);
    return out.all();
  }
}
