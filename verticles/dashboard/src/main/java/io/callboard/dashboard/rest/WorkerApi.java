package io.callboard.dashboard.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.codecs.Json;
import io.callboard.dashboard.contract.ApiResponse;
import io.callboard.dashboard.contract.ContractRouter.Handler;
import io.callboard.workflows.Workflows;
import io.callboard.workflows.protocol.DeskAnswer;
import java.util.Map;

/** Operation on the workers that run steps. */
public final class WorkerApi {
  private final Workflows workflows;

  /** Creates the operation. */
  public WorkerApi(Workflows workflows) {
    this.workflows = workflows;
  }

  /** Returns the handlers by the id of their operation. */
  public Map<String, Handler> handlers() {
    return Map.of(
        "listWorkers",
        call -> workflows.overview().map(overview -> ApiResponse.ok(json(overview))));
  }

  private static ObjectNode json(DeskAnswer.Overview overview) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("epoch", overview.epoch());
    body.set("awaits", Json.tree(overview.awaits()));
    ArrayNode workers = body.putArray("workers");
    for (DeskAnswer.Worker each : overview.workers()) {
      ObjectNode worker = workers.addObject().put("node", each.id().node());
      ArrayNode types = worker.putArray("types");
      each.types().stream().map(WorkflowWarnings::named).sorted().forEach(types::add);
      worker.put("slots", each.slots());
      worker.set("running", Json.tree(each.running()));
      worker.put("draining", each.draining());
      worker.put("member", each.member());
    }
    body.set("queues", Json.tree(overview.queues()));
    return body;
  }
}
