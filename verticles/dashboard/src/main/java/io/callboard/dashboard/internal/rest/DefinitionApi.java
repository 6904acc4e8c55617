package io.callboard.dashboard.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.codecs.Json;
import io.callboard.dashboard.internal.contract.ApiResponse;
import io.callboard.dashboard.internal.contract.Call;
import io.callboard.dashboard.internal.contract.ContractRouter.Handler;
import io.callboard.dashboard.internal.contract.Role;
import io.callboard.dashboard.internal.model.InstanceRows;
import io.callboard.dashboard.internal.model.MaskedJson;
import io.callboard.workflows.Workflows;
import io.callboard.workflows.definition.CheckedDefinition;
import io.callboard.workflows.definition.DefinitionCheck;
import io.callboard.workflows.definition.DefinitionSchema;
import io.callboard.workflows.definition.DefinitionWriter;
import io.callboard.workflows.graph.StepGraph;
import io.callboard.workflows.model.BrakeView;
import io.callboard.workflows.model.DefinitionVersion;
import io.callboard.workflows.model.DefinitionVersions;
import io.callboard.workflows.model.InstanceCount;
import io.callboard.workflows.model.InstanceCounts;
import io.callboard.workflows.model.UnreadableVersion;
import io.callboard.workflows.model.WorkflowException;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Operations on definitions of workflows. */
public final class DefinitionApi {
  private final Workflows workflows;
  private final WorkflowWarnings warnings;
  private final byte[] schema;

  /**
   * Creates the operations.
   *
   * @param schema JSON Schema of definitions, as {@link DefinitionSchema#read} returns it
   */
  public DefinitionApi(Workflows workflows, WorkflowWarnings warnings, byte[] schema) {
    this.workflows = workflows;
    this.warnings = warnings;
    this.schema = schema.clone();
  }

  /** Returns the handlers by the id of their operation. */
  public Map<String, Handler> handlers() {
    return Map.of(
        "listWorkflowDefinitions",
        this::list,
        "putWorkflowDefinition",
        this::put,
        "getWorkflowDefinition",
        this::get,
        "listWorkflowDefinitionVersions",
        this::versions,
        "getWorkflowDefinitionSchema",
        call ->
            Future.succeededFuture(ApiResponse.bytes("application/json", schema.clone()).tagged()));
  }

  private Future<ApiResponse> put(Call call) {
    return aside(call, () -> DefinitionBody.read(call, call.text("name")))
        .compose(
            definition ->
                call.flag("dryRun") ? reply(call, definition, null) : put(call, definition));
  }

  /** Does what may take some time for a large definition. */
  private static <T> Future<T> aside(Call call, Callable<T> action) {
    return call.context().vertx().executeBlocking(action, false);
  }

  private Future<ApiResponse> put(Call call, CheckedDefinition definition) {
    return workflows
        .put(definition.definition())
        .compose(
            stored ->
                reply(call, definition, stored.createdAt())
                    .map(
                        reply ->
                            stored.isNew()
                                ? new ApiResponse(201, reply.headers(), reply.body())
                                : reply));
  }

  private Future<ApiResponse> get(Call call) {
    String name = call.text("name");
    String version = call.optionalText("version");
    return workflows
        .definition(name, version)
        .compose(
            stored ->
                aside(call, () -> checked(stored))
                    .compose(definition -> reply(call, definition, stored.createdAt())));
  }

  private static CheckedDefinition checked(DefinitionVersion stored) {
    return DefinitionCheck.stored(stored.definition())
        .definition()
        .orElseThrow(
            () ->
                new WorkflowException(
                    WorkflowException.Code.ILLEGAL_STATE,
                    "version %s of %s is not valid for this version of Callboard"
                        .formatted(stored.version(), stored.name())));
  }

  private Future<ApiResponse> reply(
      Call call, CheckedDefinition definition, @Nullable Instant createdAt) {
    return aside(call, () -> body(call, definition, createdAt))
        .compose(body -> warnings.add(body, definition))
        .compose(body -> aside(call, () -> ApiResponse.ok(body)))
        .map(reply -> reply.with("ETag", tag(call, definition)));
  }

  /** Returns the entity tag: another one for a definition that is shown without its secrets. */
  private static String tag(Call call, CheckedDefinition definition) {
    return changes(call)
        ? '"' + definition.version() + '"'
        : "W/\"" + definition.version() + "-masked\"";
  }

  private static boolean changes(Call call) {
    return call.caller().role().includes(Role.ADMIN);
  }

  /** Returns a definition: whole for those who may change it, for others without its secrets. */
  private static ObjectNode body(
      Call call, CheckedDefinition definition, @Nullable Instant createdAt) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("name", definition.definition().name());
    body.put("version", definition.version());
    if (createdAt != null) {
      body.put("createdAt", createdAt.toString());
    }
    JsonNode whole = DefinitionWriter.json(definition.definition());
    body.set("definition", changes(call) ? whole : masked(whole));
    ArrayNode graph = body.putArray("graph");
    StepGraph steps = definition.graph();
    for (int step = 0; step < steps.size(); step++) {
      graph
          .addObject()
          .put("step", steps.step(step).id())
          .put("level", steps.level(step))
          .put("height", steps.height(step))
          .put("last", steps.step(step).last());
    }
    return body;
  }

  /** Secrets are in parameters; ids of steps and schemas have names of secrets, but none. */
  private static JsonNode masked(JsonNode whole) {
    for (String section : List.of("steps", "finally")) {
      for (JsonNode step : whole.path(section)) {
        if (step instanceof ObjectNode its && its.has("with")) {
          its.set("with", MaskedJson.of(its.get("with")));
        }
      }
    }
    return whole;
  }

  private Future<ApiResponse> list(Call call) {
    return workflows
        .currentVersions()
        .compose(
            all ->
                Future.all(workflows.counted(), brakes())
                    .map(done -> list(all, done.resultAt(0), done.resultAt(1))));
  }

  /** Returns the brakes, by definition; empty if the start desk does not answer. */
  private Future<Optional<Map<String, BrakeView>>> brakes() {
    return workflows
        .brakes()
        .map(
            brakes -> {
              Map<String, BrakeView> all = new HashMap<>();
              brakes.forEach(brake -> all.put(brake.definition(), brake));
              return Optional.of(all);
            })
        .otherwise(Optional.empty()); // the answer says that it is partial
  }

  /** Returns the list of definitions; brakes are empty if they are not known. */
  static ApiResponse list(
      DefinitionVersions all, InstanceCounts counted, Optional<Map<String, BrakeView>> brakes) {
    List<ObjectNode> rows = new ArrayList<>();
    for (DefinitionVersion each : all.items()) {
      BrakeView brake = brakes.orElse(Map.of()).get(each.name());
      ObjectNode row = summary(each, counted.items());
      if (brake != null && (brake.isOn() || brake.override() != null)) {
        row.set("brake", brake(brake));
      }
      rows.add(row);
    }
    ObjectNode body = counted(rows, all.unreadable(), counted);
    return ApiResponse.ok(brakes.isPresent() ? body : body.put("partial", true));
  }

  /**
   * Returns a list with numbers of instances; what it lacks because this node cannot read it, and
   * the nodes whose instances the numbers lack, if any.
   */
  private static ObjectNode counted(
      List<ObjectNode> rows, List<UnreadableVersion> unreadable, InstanceCounts counted) {
    ObjectNode body = Items.object(rows);
    if (!unreadable.isEmpty()) {
      ArrayNode lacking = body.putArray("unreadable");
      unreadable.forEach(each -> lacking.add(unreadable(each)));
    }
    if (counted.partial()) {
      body.set("missing", Json.tree(counted.missing()));
    }
    return body;
  }

  private static ObjectNode unreadable(UnreadableVersion version) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("name", version.name());
    if (version.version() != null) {
      json.put("version", version.version());
    }
    if (version.createdAt() != null) {
      json.put("createdAt", version.createdAt().toString());
    }
    return json.put("current", version.current()).put("fault", version.fault());
  }

  private static ObjectNode brake(BrakeView brake) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("level", brake.level().name());
    if (brake.credit() != null) {
      json.put("credit", brake.credit());
    }
    json.put("overridden", brake.override() != null);
    return json.put("running", brake.running()).put("waiting", brake.waiting());
  }

  private static ObjectNode summary(DefinitionVersion current, List<InstanceCount> counts) {
    ObjectNode row = JsonNodeFactory.instance.objectNode();
    row.put("name", current.name());
    row.put("version", current.version());
    row.put("createdAt", current.createdAt().toString());
    row.put("steps", steps(current));
    row.set("instances", InstanceRows.byState(counts, current.name(), null));
    return row;
  }

  private static int steps(DefinitionVersion version) {
    return version.definition().steps().size() + version.definition().last().size();
  }

  private Future<ApiResponse> versions(Call call) {
    return Future.all(workflows.versions(call.text("name")), workflows.counted())
        .map(done -> versions(done.resultAt(0), done.resultAt(1)));
  }

  /** Returns the list of the versions of a definition, with the first one as the current one. */
  static ApiResponse versions(DefinitionVersions all, InstanceCounts counted) {
    boolean known = all.unreadable().stream().noneMatch(UnreadableVersion::current);
    List<ObjectNode> rows = new ArrayList<>();
    for (DefinitionVersion each : all.items()) {
      rows.add(version(each, known && rows.isEmpty(), counted.items()));
    }
    return ApiResponse.ok(counted(rows, all.unreadable(), counted));
  }

  private static ObjectNode version(
      DefinitionVersion version, boolean current, List<InstanceCount> counts) {
    ObjectNode row = JsonNodeFactory.instance.objectNode();
    row.put("version", version.version());
    row.put("createdAt", version.createdAt().toString());
    row.put("current", current);
    row.put("steps", steps(version));
    row.set("instances", InstanceRows.byState(counts, version.name(), version.version()));
    return row;
  }
}
