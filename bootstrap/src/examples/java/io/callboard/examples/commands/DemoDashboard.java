package io.callboard.examples.commands;

import io.callboard.Callboard;
import io.callboard.dashboard.DashboardServer;
import io.callboard.grid.Grid;
import io.callboard.grid.GridOptions;
import io.callboard.part.StartedParts;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Consumer;

/** Dashboard of an example that has a node of its own: on loopback, at any free port. */
final class DemoDashboard {
  private DemoDashboard() {}

  /** Opens it for a node that takes no part in the grid yet. */
  static Future<StartedParts> open(Callboard callboard, Consumer<String> out) {
    return Grid.start(callboard, GridOptions.DEFAULT).compose(grid -> open(callboard, grid, out));
  }

  /**
   * Opens it.
   *
   * @param out gets one line with its address
   * @return the parts of the node, to close before it
   */
  static Future<StartedParts> open(Callboard callboard, Grid grid, Consumer<String> out) {
    StartedParts parts = StartedParts.of(callboard, "demo");
    parts.has(Grid.class, grid);
    return parts
        .startAll(List.of(DashboardServer.on(0)))
        .map(started -> parts)
        .onSuccess(started -> out.accept("Dashboard: " + parts.part(DashboardServer.class).url()));
  }
}
