package io.callboard.dashboard;

import io.callboard.part.NodePart;
import io.callboard.part.PartNeed;
import io.callboard.part.RunningNode;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Dashboard on an address of its own as a part of a node, whose URL the cell knows. */
record DashboardServerPart(DashboardOptions options) implements NodePart<DashboardServer> {
  @Override
  public String name() {
    return "HTTP";
  }

  @Override
  public Class<DashboardServer> type() {
    return DashboardServer.class;
  }

  @Override
  public List<PartNeed> needs() {
    return Dashboard.NEEDS;
  }

  @Override
  public Map<String, String> settings() {
    return options.shown();
  }

  @Override
  public void check() throws IOException {
    DashboardServer.check(options);
    DashboardServer.checkFree(options.host(), options.port());
  }

  @Override
  public Future<DashboardServer> start(RunningNode node) {
    return DashboardServer.open(node, options)
        .compose(
            server ->
                node.callboard()
                    .publish("http", server.url())
                    .map(server)
                    .recover(
                        cause -> server.close().transform(closed -> Future.failedFuture(cause))));
  }

  @Override
  public Future<?> close(DashboardServer server, RunningNode node) {
    return server.close();
  }
}
