package io.callboard.dashboard.rest;

import io.callboard.codecs.Json;
import io.callboard.dashboard.contract.Call;
import io.callboard.dashboard.contract.ContractRouter.Handler;
import io.callboard.dashboard.contract.ProblemException;
import io.callboard.dashboard.contract.Reply;
import io.callboard.grid.Grid;
import io.callboard.grid.RoleStatus;
import io.vertx.core.Future;
import java.util.Map;

/** The operations on roles. */
public final class RoleApi {
  private final Grid grid;

  public RoleApi(Grid grid) {
    this.grid = grid;
  }

  /** By the id of their operation. */
  public Map<String, Handler> handlers() {
    return Map.of(
        "listRoles", call -> grid.roles().map(Items::reply), "failoverRole", this::failover);
  }

  private Future<Reply> failover(Call call) {
    String role = call.text("r");
    return grid.failover(role)
        .recover(RoleApi::noRole)
        .compose(begun -> grid.roles())
        .map(
            roles ->
                roles.stream()
                    .filter(each -> each.name().equals(role))
                    .map(RoleApi::accepted)
                    .findFirst()
                    .orElseThrow(() -> ProblemException.notFound("there is no role " + role)));
  }

  private static Reply accepted(RoleStatus role) {
    return Reply.accepted(Json.tree(role));
  }

  /** What no role can be called is none. */
  private static Future<Void> noRole(Throwable cause) {
    return Future.failedFuture(
        cause instanceof IllegalArgumentException
            ? ProblemException.notFound(String.valueOf(cause.getMessage()))
            : cause);
  }
}
