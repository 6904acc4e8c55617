package io.callboard.dashboard.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.dashboard.contract.ApiResponse;
import io.callboard.dashboard.contract.Call;
import io.callboard.dashboard.contract.ContractRouter.Handler;
import io.callboard.workflows.Workflows;
import io.callboard.workflows.definition.CheckedDefinition;
import io.callboard.workflows.definition.DefinitionCheck;
import io.callboard.workflows.definition.DefinitionSchema;
import io.callboard.workflows.definition.DefinitionWriter;
import io.callboard.workflows.graph.StepGraph;
import io.callboard.workflows.model.DefinitionVersion;
import io.callboard.workflows.model.InstanceCount;
import io.callboard.workflows.model.WorkflowException;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
    CheckedDefinition definition = DefinitionBody.read(call, call.text("name"));
    if (call.flag("dryRun")) {
      return reply(definition, null);
    }
    return workflows
        .put(definition.definition())
        .compose(
            stored ->
                reply(definition, stored.createdAt())
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
        .compose(stored -> reply(checked(stored), stored.createdAt()));
  }

  private static CheckedDefinition checked(DefinitionVersion stored) {
    return DefinitionCheck.of(stored.definition())
        .definition()
        .orElseThrow(
            () ->
                new WorkflowException(
                    WorkflowException.Code.ILLEGAL_STATE,
                    "version %s of %s is not valid for this version of Callboard"
                        .formatted(stored.version(), stored.name())));
  }

  private Future<ApiResponse> reply(CheckedDefinition definition, @Nullable Instant createdAt) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("name", definition.definition().name());
    body.put("version", definition.version());
    if (createdAt != null) {
      body.put("createdAt", createdAt.toString());
    }
    body.set("definition", DefinitionWriter.json(definition.definition()));
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
    return warnings
        .add(body, definition)
        .map(with -> ApiResponse.ok(with).with("ETag", '"' + definition.version() + '"'));
  }

  private Future<ApiResponse> list(Call call) {
    return workflows
        .definitions()
        .compose(
            names -> {
              List<Future<DefinitionVersion>> all = new ArrayList<>();
              names.forEach(name -> all.add(workflows.definition(name)));
              return Future.all(all).<List<DefinitionVersion>>map(done -> done.list());
            })
        .compose(
            all ->
                workflows
                    .counts()
                    .map(
                        counts ->
                            Items.reply(all.stream().map(each -> summary(each, counts)).toList())));
  }

  private static ObjectNode summary(DefinitionVersion current, List<InstanceCount> counts) {
    ObjectNode row = JsonNodeFactory.instance.objectNode();
    row.put("name", current.name());
    row.put("version", current.version());
    row.put("createdAt", current.createdAt().toString());
    row.put("steps", steps(current));
    row.set("instances", instances(counts, current.name(), null));
    return row;
  }

  private static int steps(DefinitionVersion version) {
    return version.definition().steps().size() + version.definition().last().size();
  }

  private static ObjectNode instances(
      List<InstanceCount> counts, String name, @Nullable String version) {
    ObjectNode states = JsonNodeFactory.instance.objectNode();
    for (InstanceCount each : counts) {
      if (each.definition().equals(name) && (version == null || version.equals(each.version()))) {
        String state = each.state().name();
        states.put(state, states.path(state).asLong() + each.count());
      }
    }
    return states;
  }

  private Future<ApiResponse> versions(Call call) {
    String name = call.text("name");
    return workflows
        .definition(name)
        .compose(
            current ->
                workflows
                    .versions(name)
                    .compose(
                        all ->
                            workflows
                                .counts()
                                .map(
                                    counts ->
                                        Items.reply(
                                            all.stream()
                                                .map(each -> version(each, current, counts))
                                                .toList()))));
  }

  private static ObjectNode version(
      DefinitionVersion version, DefinitionVersion current, List<InstanceCount> counts) {
    ObjectNode row = JsonNodeFactory.instance.objectNode();
    row.put("version", version.version());
    row.put("createdAt", version.createdAt().toString());
    row.put("current", version.version().equals(current.version()));
    row.put("steps", steps(version));
    row.set("instances", instances(counts, version.name(), version.version()));
    return row;
  }
}
