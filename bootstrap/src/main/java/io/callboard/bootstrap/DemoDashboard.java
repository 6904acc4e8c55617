package io.callboard.bootstrap;

import io.callboard.Callboard;
import io.callboard.cell.NodeVersion;
import io.callboard.dashboard.DashboardOptions;
import io.callboard.dashboard.HttpFrontEnd;
import io.callboard.grid.Grid;
import io.callboard.grid.GridOptions;
import io.vertx.core.Future;
import java.util.function.Consumer;

/** Dashboard of an example that has a node of its own: on loopback, at any free port. */
final class DemoDashboard {
  private DemoDashboard() {}

  /** Opens it for a node that takes no part in the grid yet. */
  static Future<HttpFrontEnd> open(Callboard callboard, Consumer<String> out) {
    return Grid.start(callboard, GridOptions.DEFAULT).compose(grid -> open(callboard, grid, out));
  }

  /**
   * Opens it.
   *
   * @param out gets one line with its address
   */
  static Future<HttpFrontEnd> open(Callboard callboard, Grid grid, Consumer<String> out) {
    DashboardOptions options = new DashboardOptions().port(0).version(NodeVersion.version());
    return HttpFrontEnd.open(callboard.vertx(), callboard, grid, options)
        .compose(
            front -> {
              out.accept("Dashboard: " + front.url());
              return callboard.publish("http", front.url()).map(front);
            });
  }
}
