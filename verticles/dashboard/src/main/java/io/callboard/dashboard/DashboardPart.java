package io.callboard.dashboard;

import io.callboard.part.NodePart;
import io.callboard.part.PartNeed;
import io.callboard.part.RunningNode;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;

/** Dashboard as a part of a node, for a server of the application. */
record DashboardPart(DashboardOptions options) implements NodePart<Dashboard> {
  @Override
  public String name() {
    return "dashboard";
  }

  @Override
  public Class<Dashboard> type() {
    return Dashboard.class;
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
  public Future<Dashboard> start(RunningNode node) {
    return Dashboard.create(node, options);
  }

  @Override
  public Future<?> close(Dashboard dashboard, RunningNode node) {
    return dashboard.close();
  }
}
