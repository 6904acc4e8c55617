package io.callboard.dashboard.internal.rest;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Json;
import io.callboard.dashboard.internal.contract.ApiResponse;
import io.callboard.dashboard.internal.contract.Call;
import io.callboard.dashboard.internal.contract.ContractRouter.Handler;
import io.callboard.dashboard.internal.contract.Fault;
import io.callboard.dashboard.internal.contract.ProblemException;
import io.callboard.dashboard.internal.model.CellModel;
import io.callboard.grid.Findings;
import io.callboard.grid.Grid;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;

/** Operations that read hosts, zones and figures. */
public final class CellApi {
  private final CellModel model;
  private final Grid grid;

  /** Creates the operations. */
  public CellApi(CellModel model, Grid grid) {
    this.model = model;
    this.grid = grid;
  }

  /** Returns the handlers by the id of their operation. */
  public Map<String, Handler> handlers() {
    return Map.of(
        "listZones",
        call -> Future.succeededFuture(Items.reply(model.zones())),
        "getStats",
        this::stats);
  }

  static ActorPath path(String pointer, String text) {
    try {
      return ActorPath.of(text);
    } catch (IllegalArgumentException e) {
      throw ProblemException.malformed(List.of(new Fault(pointer, String.valueOf(e.getMessage()))));
    }
  }

  private static ObjectNode findings(Findings findings) {
    ObjectNode body = Items.object(findings.items());
    findings.by().ifPresent(node -> body.put("by", node));
    return body;
  }

  private Future<ApiResponse> stats(Call call) {
    return model
        .overview()
        .compose(
            sections -> {
              ObjectNode body = JsonNodeFactory.instance.objectNode();
              sections.forEach(body::set);
              body.set("zones", Json.tree(model.zones()));
              return grid.findings()
                  .map(CellApi::findings)
                  .otherwise(
                      cause ->
                          JsonNodeFactory.instance
                              .objectNode()
                              .put("error", String.valueOf(cause.getMessage())))
                  .map(
                      findings -> {
                        body.set("findings", findings);
                        return ApiResponse.ok(body);
                      });
            });
  }
}
