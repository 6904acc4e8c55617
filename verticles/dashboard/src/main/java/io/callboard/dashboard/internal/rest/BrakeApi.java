package io.callboard.dashboard.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.Json;
import io.callboard.dashboard.internal.contract.ApiResponse;
import io.callboard.dashboard.internal.contract.Call;
import io.callboard.dashboard.internal.contract.ContractRouter.Handler;
import io.callboard.dashboard.internal.contract.ProblemException;
import io.callboard.workflows.Workflows;
import io.vertx.core.Future;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Operations on the brakes of definitions, and on their counts. */
public final class BrakeApi {
  private static final Logger log = LoggerFactory.getLogger(BrakeApi.class);

  private final Workflows workflows;

  /** Creates the operations. */
  public BrakeApi(Workflows workflows) {
    this.workflows = workflows;
  }

  /** Returns the handlers by the id of their operation. */
  public Map<String, Handler> handlers() {
    return Map.of(
        "getWorkflowStats",
        call -> workflows.stats(call.text("name")).map(stats -> ApiResponse.ok(Json.tree(stats))),
        "getWorkflowBrake",
        call -> workflows.brake(call.text("name")).map(brake -> ApiResponse.ok(Json.tree(brake))),
        "putWorkflowBrake",
        this::put,
        "deleteWorkflowBrake",
        this::delete);
  }

  private Future<ApiResponse> put(Call call) {
    String name = call.text("name");
    JsonNode body = call.body();
    boolean off = body.path("off").asBoolean();
    if (off == body.has("credit")) {
      throw ProblemException.invalid(
          "/credit", "give either a credit, such as 0 for none to begin, or \"off\": true");
    }
    Integer credit = off ? null : Integer.valueOf(body.path("credit").asInt());
    String reason = body.path("reason").asText();
    log.info(
        "the brake of workflow {} is set to {}, requested over REST from {}: {}",
        name,
        off ? "off" : "a credit of " + credit,
        call.context().request().remoteAddress(),
        reason);
    return workflows
        .override(name, credit, call.client(), reason)
        .map(brake -> ApiResponse.ok(Json.tree(brake)));
  }

  private Future<ApiResponse> delete(Call call) {
    String name = call.text("name");
    log.info(
        "the brake of workflow {} is given back to its measurements, requested over REST from {}",
        name,
        call.context().request().remoteAddress());
    return workflows.starts().release(name).map(brake -> ApiResponse.noContent());
  }
}
