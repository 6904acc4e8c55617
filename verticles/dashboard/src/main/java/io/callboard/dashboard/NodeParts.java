package io.callboard.dashboard;

import io.callboard.Callboard;
import io.callboard.grid.Grid;
import io.callboard.jobs.Jobs;
import io.callboard.pollers.Sources;
import io.callboard.time.Time;
import io.callboard.workflows.Workflows;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.util.Optional;

/**
 * Parts of a node that its dashboard shows, with the options of the dashboard.
 *
 * @param jobs the job scheduler; empty if the node has none
 * @param workflows the workflow engine; empty if the node has none
 * @param sources the node's part in the sources; empty if it has none
 */
record NodeParts(
    Vertx vertx,
    Callboard callboard,
    Optional<Jobs> jobs,
    Optional<Workflows> workflows,
    Optional<Sources> sources,
    Grid grid,
    DashboardOptions options) {
  Clock clock() {
    return options.clock();
  }

  Time time() {
    return callboard.time();
  }
}
