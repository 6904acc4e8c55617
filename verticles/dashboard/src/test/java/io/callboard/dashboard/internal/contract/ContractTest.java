package io.callboard.dashboard.internal.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.Json;
import io.callboard.dashboard.internal.attention.Rule;
import io.callboard.dashboard.internal.attention.Severity;
import io.callboard.dashboard.internal.attention.Subject;
import io.callboard.dashboard.internal.bulk.BulkAction;
import io.callboard.dashboard.internal.bulk.BulkStatus;
import io.callboard.dashboard.internal.bulk.JobAction;
import io.callboard.dashboard.internal.bulk.WorkflowAction;
import io.callboard.testkit.Futures;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.openapi.contract.OpenAPIContract;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ContractTest {
  private static final Set<String> SAY_NOTHING = Set.of("description", "default", "x-means");

  private final Contract contract = Contract.read();

  @Test
  void theContractIsValidOpenApi() throws Exception {
    Vertx vertx = Vertx.vertx();
    try {
      // OpenAPI allows a relative server and any media type, Vert.x does not
      String text =
          new String(contract.json(), StandardCharsets.UTF_8)
              .replace("\"/api/v1\"", "\"http://localhost/api/v1\"")
              .replace("application/problem+json", "application/json")
              .replace("text/event-stream", "application/octet-stream")
              .replace("application/yaml", "application/octet-stream");
      OpenAPIContract read = Futures.await(OpenAPIContract.from(vertx, new JsonObject(text)));
      assertThat(read.operations()).hasSameSizeAs(contract.operations());
    } finally {
      Futures.await(vertx.close());
    }
  }

  @Test
  void schemasOfRequestsUseOnlyCheckedKeywords() {
    Set<String> used = new TreeSet<>();
    for (Contract.Operation operation : contract.operations()) {
      operation.parameters().forEach(parameter -> collect(parameter.schema(), used));
      if (operation.body() != null) {
        collect(operation.body(), used);
      }
    }
    used.removeAll(SchemaCheck.KEYWORDS);
    used.removeAll(SAY_NOTHING);
    assertThat(used).isEmpty();
  }

  private void collect(JsonNode schema, Set<String> used) {
    if (schema.has("$ref")) {
      collect(contract.tree().at(schema.get("$ref").asText().substring(1)), used);
      return;
    }
    schema.fieldNames().forEachRemaining(used::add);
    schema.path("properties").forEach(property -> collect(property, used));
    for (String nested : new String[] {"items", "additionalProperties", "propertyNames"}) {
      if (schema.path(nested).isObject()) {
        collect(schema.get(nested), used);
      }
    }
  }

  @Test
  void refusesHandlersThatDoNotMatchTheOperations() {
    Map<String, ContractRouter.Handler> handlers = new HashMap<>();
    contract
        .operations()
        .forEach(operation -> handlers.put(operation.id(), call -> Future.succeededFuture()));
    handlers.remove("getJob");
    handlers.put("getJobb", call -> Future.succeededFuture());
    assertThatThrownBy(
            () ->
                ContractRouter.create(
                    Vertx.vertx(), contract, (operation, context) -> {}, handlers))
        .hasMessageContaining("without a handler: [getJob]")
        .hasMessageContaining("without an operation: [getJobb]");
  }

  private static List<String> words(BulkAction<?>[] actions) {
    return Stream.of(actions).<String>map(BulkAction::word).toList();
  }

  @Test
  void everyStateThatIsShownIsInTheContract() {
    assertThat(contract.tree().at("/components/schemas/Job/properties/state/enum"))
        .isEqualTo(Json.tree(io.callboard.jobs.model.JobState.values()));
    assertThat(contract.tree().at("/components/schemas/Actor/properties/state/enum"))
        .isEqualTo(Json.tree(io.callboard.admin.ActorStatus.State.values()));
    JsonNode zone = contract.tree().at("/components/schemas/FailureZone/properties");
    assertThat(zone.at("/state/enum"))
        .isEqualTo(Json.tree(io.callboard.admin.FailureZoneStatus.State.values()));
    assertThat(zone.at("/strategy/enum"))
        .isEqualTo(Json.tree(io.callboard.supervision.Strategy.values()));
    assertThat(contract.tree().at("/components/schemas/Failure/properties/kind/enum"))
        .isEqualTo(Json.tree(io.callboard.supervision.Failure.Kind.values()));
    assertThat(contract.tree().at("/components/schemas/Failure/properties/decision/enum"))
        .isEqualTo(Json.tree(io.callboard.supervision.Directive.values()));
    JsonNode source = contract.tree().at("/components/schemas/Source/properties");
    assertThat(source.at("/status/enum"))
        .isEqualTo(Json.tree(io.callboard.pollers.model.SourceStatus.values()));
    assertThat(source.at("/mode/enum"))
        .isEqualTo(Json.tree(io.callboard.pollers.model.SourceMode.values()));
    JsonNode trouble = contract.tree().at("/components/schemas/Trouble/properties");
    assertThat(trouble.at("/rule/enum")).isEqualTo(Json.tree(Rule.values()));
    assertThat(trouble.at("/severity/enum")).isEqualTo(Json.tree(Severity.values()));
    assertThat(contract.tree().at("/components/schemas/Subject/properties/kind/enum"))
        .isEqualTo(Json.tree(Subject.Kind.values()));
    assertThat(contract.tree().at("/components/schemas/ActionRun/properties/state/enum"))
        .isEqualTo(Json.tree(BulkStatus.State.values()));
    assertThat(contract.tree().at("/components/parameters/jobAction/schema/enum"))
        .isEqualTo(Json.tree(words(JobAction.values())));
    assertThat(contract.tree().at("/components/parameters/workflowAction/schema/enum"))
        .isEqualTo(Json.tree(words(WorkflowAction.values())));
    List<String> words = new ArrayList<>(words(JobAction.values()));
    words.addAll(words(WorkflowAction.values()));
    assertThat(contract.tree().at("/components/schemas/ActionRun/properties/action/enum"))
        .isEqualTo(Json.tree(words.stream().distinct().toList()));
    assertThat(contract.tree().at("/components/schemas/Problem/properties/code/enum"))
        .isEqualTo(Json.tree(Problem.Kind.values()));
  }
}
