package io.callboard.dashboard.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.Callboard;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Json;
import io.callboard.dashboard.internal.audit.AuditTrail;
import io.callboard.dashboard.internal.bulk.Selection;
import io.callboard.dashboard.internal.contract.ApiResponse;
import io.callboard.dashboard.internal.contract.ContractRouter;
import io.callboard.dashboard.internal.contract.ContractRouter.Handler;
import io.callboard.jobs.Jobs;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobsOptions;
import io.callboard.store.Limits;
import io.vertx.core.Future;
import java.util.Map;
import java.util.TreeMap;

/** Operation that shows the settings of a node. */
public final class SettingsApi {
  private static final String BYTES = "bytes";

  private final Callboard callboard;
  private final String cell;
  private final String version;
  private final JsonNode settings;
  private final Map<String, Boolean> features;

  /**
   * Creates the operation.
   *
   * @param features what the node has, by name, and what it has not
   * @param settings its settings, a list
   */
  public SettingsApi(
      Callboard callboard,
      String cell,
      String version,
      Map<String, Boolean> features,
      JsonNode settings) {
    this.callboard = callboard;
    this.cell = cell;
    this.version = version;
    this.features = new TreeMap<>(features);
    this.settings = settings;
  }

  /** Returns the handler by the id of its operation. */
  public Map<String, Handler> handlers() {
    return Map.of("getSettings", call -> Future.succeededFuture(ApiResponse.ok(body())));
  }

  private ObjectNode body() {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.putObject("node")
        .put("name", callboard.node())
        .put("boot", callboard.bootId())
        .put("cell", cell)
        .put("version", version)
        .put(
            "java",
            "%s, %s %s"
                .formatted(
                    System.getProperty("java.runtime.version"),
                    System.getProperty("java.vm.vendor"),
                    System.getProperty("java.vm.name")))
        .put(
            "system",
            "%s %s, %s"
                .formatted(
                    System.getProperty("os.name"),
                    System.getProperty("os.version"),
                    System.getProperty("os.arch")))
        .put("processors", String.valueOf(Runtime.getRuntime().availableProcessors()))
        .put("heap", (Runtime.getRuntime().maxMemory() >> 20) + " MiB at most")
        .put("process", String.valueOf(ProcessHandle.current().pid()));
    body.set("features", Json.tree(features));
    body.set("settings", settings.deepCopy());
    limits(body.putArray("limits"));
    return body;
  }

  private static void limits(ArrayNode limits) {
    limit(limits, "body of a message", Limits.MESSAGE_BYTES, BYTES);
    limit(limits, "body of a message kept with its mailbox", Limits.INLINE_BYTES, BYTES);
    limit(limits, "record of an actor", Limits.RECORD_BYTES, BYTES);
    limit(limits, "path of an actor", ActorPath.MAX_LENGTH, "characters");
    limit(limits, "jobs that wait in the cell", JobsOptions.DEFAULT_QUEUE_LIMIT, "jobs");
    limit(limits, "specification of a job", JobSpec.MOST_BYTES, BYTES);
    limit(limits, "jobs or workflows that one request acts on", Selection.MOST, "of them");
    limit(limits, "records of deleted jobs", Jobs.MOST_TOMBSTONES, "records");
    limit(
        limits,
        "body of a request, unless its operation says another",
        ContractRouter.BODY_LIMIT,
        BYTES);
    limit(limits, "writes in the audit of this node", AuditTrail.MOST, "entries");
  }

  private static void limit(ArrayNode limits, String name, long value, String unit) {
    limits.addObject().put("name", name).put("value", value).put("unit", unit);
  }
}
