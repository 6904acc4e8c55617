package io.callboard.dashboard.internal.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.codecs.Json;
import io.callboard.dashboard.internal.contract.ApiResponse;
import io.callboard.dashboard.internal.contract.ContractRouter.Handler;
import io.callboard.workflows.Workflows;
import io.callboard.workflows.model.WorkView;
import io.callboard.workflows.model.WorkerView;
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
        call -> workflows.workers().ofCell().map(work -> ApiResponse.ok(json(work))));
  }

  private static ObjectNode json(WorkView work) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("epoch", work.epoch());
    body.set("awaits", Json.tree(work.awaits()));
    ArrayNode workers = body.putArray("workers");
    for (WorkerView each : work.workers()) {
      ObjectNode worker = workers.addObject().put("node", each.node());
      ArrayNode types = worker.putArray("types");
      each.types().stream().sorted().forEach(types::add);
      worker.put("slots", each.slots());
      worker.set("running", Json.tree(each.running()));
      worker.put("draining", each.draining());
      worker.put("member", each.member());
    }
    body.set("queues", Json.tree(work.queues()));
    return body;
  }
}
