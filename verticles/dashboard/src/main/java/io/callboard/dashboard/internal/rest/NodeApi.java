package io.callboard.dashboard.internal.rest;

import io.callboard.dashboard.internal.contract.ApiResponse;
import io.callboard.dashboard.internal.contract.Call;
import io.callboard.dashboard.internal.contract.ContractRouter.Handler;
import io.callboard.dashboard.internal.contract.ProblemException;
import io.callboard.dashboard.internal.model.CellNodes;
import io.vertx.core.Future;
import java.util.Map;

/** Operations that read the nodes of the cell. */
public final class NodeApi {
  private final CellNodes nodes;

  /** Creates the operations. */
  public NodeApi(CellNodes nodes) {
    this.nodes = nodes;
  }

  /** Returns the handlers by the id of their operation. */
  public Map<String, Handler> handlers() {
    return Map.of("listNodes", call -> nodes.list().map(Items::reply), "getNode", this::one);
  }

  private Future<ApiResponse> one(Call call) {
    String name = call.text("node");
    return nodes
        .one(name)
        .map(
            found ->
                ApiResponse.ok(
                    found.orElseThrow(
                        () ->
                            ProblemException.notFound(
                                "no node %s is a member of the cell".formatted(name)))));
  }
}
