package io.callboard.dashboard.internal.rest;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.codecs.Json;
import io.callboard.dashboard.internal.contract.ApiResponse;
import io.callboard.dashboard.internal.contract.Call;
import io.callboard.dashboard.internal.contract.ContractRouter.Handler;
import io.callboard.dashboard.internal.contract.ProblemException;
import io.callboard.grid.Grid;
import io.callboard.grid.RoleStatus;
import io.vertx.core.Future;
import java.util.Map;

/** Operations on roles, and on nodes as members of the grid. */
public final class GridApi {
  private final Grid grid;

  /** Creates the operations. */
  public GridApi(Grid grid) {
    this.grid = grid;
  }

  /** Returns the handlers by the id of their operation. */
  public Map<String, Handler> handlers() {
    return Map.of(
        "listRoles", call -> grid.roles().map(Items::reply),
        "listEvents", call -> grid.events().map(Items::reply),
        "failoverRole", this::failover,
        "drainHost", call -> drain(call, true),
        "undrainHost", call -> drain(call, false));
  }

  private Future<ApiResponse> drain(Call call, boolean draining) {
    String host = call.text("h");
    return grid.drain(host, draining)
        .map(
            durable ->
                ApiResponse.accepted(
                    JsonNodeFactory.instance
                        .objectNode()
                        .put("name", host)
                        .put("draining", draining)));
  }

  private Future<ApiResponse> failover(Call call) {
    String role = call.text("r");
    return grid.failover(role)
        .compose(begun -> grid.roles())
        .map(
            roles ->
                roles.stream()
                    .filter(each -> each.name().equals(role))
                    .map(GridApi::accepted)
                    .findFirst()
                    .orElseThrow(() -> ProblemException.notFound("there is no role " + role)));
  }

  private static ApiResponse accepted(RoleStatus role) {
    return ApiResponse.accepted(Json.tree(role));
  }
}
