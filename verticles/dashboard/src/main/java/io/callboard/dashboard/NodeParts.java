package io.callboard.dashboard;

import io.callboard.Callboard;
import io.callboard.grid.Grid;
import io.callboard.jobs.Jobs;
import io.callboard.part.RunningNode;
import io.callboard.pollers.Sources;
import io.callboard.time.Time;
import io.callboard.workflows.Workflows;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Parts of a node that its dashboard shows, with the options of the dashboard.
 *
 * @param jobs the job scheduler; empty if the node has none
 * @param workflows the workflow engine; empty if the node has none
 * @param sources the node's part in the sources; empty if it has none
 */
record NodeParts(
    RunningNode node,
    Vertx vertx,
    Callboard callboard,
    Optional<Jobs> jobs,
    Optional<Workflows> workflows,
    Optional<Sources> sources,
    Grid grid,
    DashboardOptions options) {
  /** Returns the parts that a node has. */
  static NodeParts of(RunningNode node, DashboardOptions options) {
    DashboardOptions its = new DashboardOptions(options);
    if (its.cell().isEmpty()) {
      its.cell(node.cell());
    }
    if (its.settings().isEmpty()) {
      its.settings(settings(node));
    }
    return new NodeParts(
        node,
        node.vertx(),
        node.callboard(),
        node.find(Jobs.class),
        node.find(Workflows.class),
        node.find(Sources.class),
        node.part(Grid.class),
        its);
  }

  private static List<Setting> settings(RunningNode node) {
    List<Setting> all = new ArrayList<>();
    node.settings()
        .forEach(
            (part, its) ->
                its.forEach(
                    (name, value) -> all.add(new Setting(part + "." + name, value, "program"))));
    return all;
  }

  Clock clock() {
    return options.clock();
  }

  Time time() {
    return callboard.time();
  }
}
