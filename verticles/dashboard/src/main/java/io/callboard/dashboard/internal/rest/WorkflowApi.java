package io.callboard.dashboard.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.codecs.Json;
import io.callboard.dashboard.internal.audit.AuditDetail;
import io.callboard.dashboard.internal.contract.ApiResponse;
import io.callboard.dashboard.internal.contract.Call;
import io.callboard.dashboard.internal.contract.ContractRouter.Handler;
import io.callboard.dashboard.internal.contract.IsoText;
import io.callboard.dashboard.internal.contract.ProblemException;
import io.callboard.dashboard.internal.contract.Problems;
import io.callboard.dashboard.internal.model.InstanceRows;
import io.callboard.workflows.StartRequest;
import io.callboard.workflows.Workflows;
import io.callboard.workflows.definition.DefinitionCheck;
import io.callboard.workflows.model.Instance;
import io.callboard.workflows.model.InstanceState;
import io.callboard.workflows.model.WorkflowException;
import io.callboard.workflows.model.WorkflowQuery;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/** Operations on instances of workflows. */
public final class WorkflowApi {
  private final Workflows workflows;
  private final WorkflowWarnings warnings;

  /** Creates the operations. */
  public WorkflowApi(Workflows workflows, WorkflowWarnings warnings) {
    this.workflows = workflows;
    this.warnings = warnings;
  }

  /** Returns the handlers by the id of their operation. */
  public Map<String, Handler> handlers() {
    return Map.of(
        "startWorkflow",
        this::start,
        "listWorkflows",
        this::list,
        "getWorkflow",
        call -> workflows.instance(call.text("id")).map(WorkflowApi::reply),
        "getWorkflowOutput",
        this::output,
        "getWorkflowEvents",
        call -> workflows.events(call.text("id")).map(Items::reply).map(ApiResponse::tagged),
        "getWorkflowWhy",
        call -> workflows.why(call.text("id")).map(why -> ApiResponse.ok(Json.tree(why))),
        "deleteWorkflow",
        call -> act(call, workflows::delete, deleted -> ApiResponse.noContent()),
        "cancelWorkflow",
        call -> act(call, id -> cancel(call, id)),
        "retryWorkflow",
        call -> act(call, workflows::retry),
        "rerunWorkflow",
        call -> act(call, id -> rerun(call, id)));
  }

  private Future<ApiResponse> output(Call call) {
    return workflows
        .output(call.text("id"), call.text("step"))
        .map(json -> new ApiResponse(200, Map.of("Content-Type", "application/json"), json));
  }

  private Future<Instance> cancel(Call call, String id) {
    if (!call.body().path("force").asBoolean()) {
      return workflows.cancel(id);
    }
    AuditDetail.put(call.context(), "by force");
    return workflows.forceCancel(id, call.who());
  }

  /** Reports a step that does not exist as a fault of the body, not of the path. */
  private Future<Instance> rerun(Call call, String id) {
    String step = call.body().path("step").asText();
    AuditDetail.put(call.context(), "from step " + step);
    return workflows
        .instance(id)
        .compose(
            instance ->
                instance.steps().containsKey(step)
                    ? workflows.rerunFrom(id, step)
                    : Future.failedFuture(
                        ProblemException.invalid(
                            "/step", "there is no step \"%.100s\"".formatted(step))));
  }

  private Future<ApiResponse> start(Call call) {
    JsonNode body = call.body();
    Map<String, String> labels = new LinkedHashMap<>();
    body.path("labels").properties().forEach(e -> labels.put(e.getKey(), e.getValue().asText()));
    JsonNode input = body.path("input");
    MaskedValueCheck.check("/input", input);
    return workflows
        .submit(
            new StartRequest(
                body.path("definition").asText(),
                body.has("version") ? body.get("version").asText() : null,
                input.isMissingNode() ? JsonNodeFactory.instance.objectNode() : input,
                body.has("uniqueKey") ? body.get("uniqueKey").asText() : null,
                body.path("priority").asInt(StartRequest.DEFAULT_PRIORITY),
                labels))
        .recover(WorkflowApi::unknownDefinition)
        .compose(
            started ->
                started.existing()
                    ? Future.succeededFuture(reply(started.instance()))
                    : started(call, started.instance()));
  }

  /** Replies with a new instance and the warnings about its definition. */
  private Future<ApiResponse> started(Call call, Instance instance) {
    ObjectNode body = InstanceRows.of(instance);
    String location = call.context().request().path() + "/" + instance.id();
    return workflows
        .definition(instance.definition(), instance.version())
        .compose(
            stored ->
                DefinitionCheck.stored(stored.definition())
                    .definition()
                    .map(checked -> warnings.add(body, checked))
                    .orElse(Future.succeededFuture(body)))
        .otherwise(body) // it was started, whatever can be said about it
        .map(with -> ApiResponse.created(location, with));
  }

  /** Reports a definition that does not exist as a fault of the body, not of the path. */
  private static <T> Future<T> unknownDefinition(Throwable cause) {
    return cause instanceof WorkflowException e && e.code() == WorkflowException.Code.NOT_FOUND
        ? Future.failedFuture(
            ProblemException.invalid(
                e.pointer().isEmpty() ? "/definition" : e.pointer(),
                String.valueOf(e.getMessage())))
        : Future.failedFuture(cause);
  }

  private Future<ApiResponse> list(Call call) {
    String state = call.optionalText("state");
    String createdAfter = call.optionalText("createdAfter");
    return workflows
        .list(
            new WorkflowQuery(
                call.optionalText("definition"),
                call.optionalText("version"),
                state == null ? null : InstanceState.valueOf(state),
                call.optionalText("label"),
                createdAfter == null ? null : IsoText.time(createdAfter),
                call.optionalText("q"),
                call.text("sort").equals("createdAt"),
                call.number("limit"),
                call.optionalText("cursor")))
        .recover(Problems::malformed)
        .map(page -> Items.page(page.items(), page.next(), page.partial(), page.missing()));
  }

  /** Acts on an instance; if its state forbids that, the problem names the state. */
  private Future<ApiResponse> act(Call call, Function<String, Future<Instance>> action) {
    return act(call, action, instance -> ApiResponse.accepted(InstanceRows.of(instance)));
  }

  private Future<ApiResponse> act(
      Call call,
      Function<String, Future<Instance>> action,
      Function<Instance, ApiResponse> response) {
    String id = call.text("id");
    return action
        .apply(id)
        .recover(
            cause -> Problems.withState(cause, () -> workflows.instance(id).map(Instance::state)))
        .map(response);
  }

  private static ApiResponse reply(Instance instance) {
    return ApiResponse.ok(InstanceRows.of(instance)).tagged();
  }
}
