package io.callboard.workflows;

import io.callboard.archive.CellArchive;
import io.callboard.archive.WorkflowHistory;
import io.callboard.grid.Grid;
import io.callboard.jobs.Jobs;
import io.callboard.metric.Metric;
import io.callboard.part.NodePart;
import io.callboard.part.PartNeed;
import io.callboard.part.PartSettings;
import io.callboard.part.RunningNode;
import io.callboard.workflows.model.WorkflowsOptions;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Workflow engine as a part of a node.
 *
 * @param listsPause time for which lists do without the database after it did not answer
 */
record WorkflowsPart(WorkflowsOptions options, Duration listsPause) implements NodePart<Workflows> {
  @Override
  public String name() {
    return "workflows";
  }

  @Override
  public Class<Workflows> type() {
    return Workflows.class;
  }

  @Override
  public List<PartNeed> needs() {
    return List.of(
        PartNeed.of(Jobs.class, "add Jobs.part()"),
        PartNeed.of(Grid.class, "leave NodeOptions.grid true"),
        PartNeed.optional(CellArchive.class));
  }

  @Override
  public Map<String, String> settings() {
    return PartSettings.of(options);
  }

  @Override
  public Future<Workflows> start(RunningNode node) {
    WorkflowHistory history = node.find(CellArchive.class).map(CellArchive::workflows).orElse(null);
    return Workflows.start(
        node.callboard(),
        node.part(Grid.class),
        node.part(Jobs.class),
        options,
        history,
        listsPause);
  }

  @Override
  public Future<List<Metric>> metrics(Workflows workflows) {
    return Future.succeededFuture(InstanceSeries.of(workflows.archive()));
  }

  @Override
  public Future<?> close(Workflows workflows, RunningNode node) {
    return workflows.close();
  }
}
