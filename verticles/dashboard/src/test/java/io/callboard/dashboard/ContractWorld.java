package io.callboard.dashboard;

import static io.callboard.testkit.Futures.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.ActorOptions;
import io.callboard.codecs.Json;
import io.callboard.dashboard.internal.contract.Contract;
import io.callboard.dashboard.internal.contract.Contract.Operation;
import io.callboard.dashboard.internal.contract.Contract.Parameter;
import io.callboard.dashboard.internal.contract.Samples;
import io.callboard.supervision.FailureZone;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.SampleActors;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * World in which every operation of the contract has an object in a state that permits it: what is
 * changed or ended by an operation is made anew for each request. Names are those that samples
 * have.
 */
final class ContractWorld {
  private static final Set<String> OF_ENDED_JOB = Set.of("deleteJob", "rerunJob");
  private static final Set<String> OF_ENDED_WORKFLOW =
      Set.of("deleteWorkflow", "retryWorkflow", "rerunWorkflow");

  /** Handler of the node, and type of its jobs. */
  private static final String HANDLER = "report";

  private static final JsonNode ARGS =
      JsonNodeFactory.instance.objectNode().put("customer", "acme").put("year", 2026);

  private static final String DEFINITION = "{\"name\":\"a\",\"steps\":{\"a\":{\"run\":\"%s\"}}}";

  private final TestNode node;
  private final Samples samples;
  private final String job;
  private final String workflow;
  private final String withOutput;
  private final String version;

  /** Arguments of the handler. */
  record Report(String customer, int year) {}

  ContractWorld(TestNode node, Contract contract) {
    this.node = node;
    this.samples = new Samples(contract);
    await(node.jobs.handle(HANDLER, Report.class, job -> job.args().year()));
    put("/types/a", "{\"limit\":2,\"runner\":\"handler\",\"handler\":\"report\"}");
    put("/workflow-definitions/a", DEFINITION.formatted("handler:nobody"));
    put(
        "/workflow-definitions/etl",
        DEFINITION.replace("\"a\",", "\"etl\",").formatted("handler:nobody"));
    put(
        "/workflow-definitions/out",
        "{\"name\":\"out\",\"steps\":{\"a\":{\"run\":\"process\",\"with\":{\"command\":[\"sh\",\"-c\",\"echo"
            + " 1 >$CALLBOARD_RESULT_FILE\"]}}}}");
    await(node.callboard.spawn("/pot", StateCorrectionTest.Pot::new));
    await(
        node.callboard
            .durableRef("/pot", StateCorrectionTest.Add.class)
            .ask(new StateCorrectionTest.Add(1), StateCorrectionTest.Sum.class));
    await(
        node.callboard.spawn(
            "/shop/shelf", ParkedMessagesTest.SHELF, new ActorOptions().attempts(1)));
    await(node.callboard.supervise("/stall", new FailureZone()));
    await(node.grid.role("clerk", SampleActors.Counter::new, new ActorOptions()));
    job = endedJob();
    workflow = started("a");
    withOutput = started("out");
    state("/workflows/" + withOutput, "SUCCEEDED");
    version = TestNode.json(node.get("/api/v1/workflow-definitions/a")).path("version").asText();
  }

  private JsonNode done(HttpResponse<String> response) {
    assertThat(response.statusCode()).as(response.body()).isBetween(200, 299);
    return TestNode.json(response);
  }

  private void put(String path, String body) {
    JsonNode unused = done(node.put("/api/v1" + path, "application/json", body));
  }

  private void state(String path, String state) {
    Eventually.assertThat(
        () ->
            assertThat(TestNode.json(node.get("/api/v1" + path)).path("state").asText())
                .isEqualTo(state));
  }

  private String submitted(String body) {
    return done(node.post("/api/v1/jobs", body)).path("id").asText();
  }

  private String endedJob() {
    String id = submitted("{\"command\":[\"echo\",\"hello\"]}");
    state("/jobs/" + id, "SUCCEEDED");
    return id;
  }

  private String laterJob() {
    return submitted("{\"command\":[\"true\"],\"runAt\":\"2099-01-01T00:00:00Z\"}");
  }

  private String heldJob() {
    String id = laterJob();
    JsonNode unused = done(node.post("/api/v1/jobs/" + id + "/hold"));
    return id;
  }

  private String started(String definition) {
    return done(node.post("/api/v1/workflows", "{\"definition\":\"%s\"}".formatted(definition)))
        .path("id")
        .asText();
  }

  private String endedWorkflow() {
    String id = started("a");
    JsonNode unused = done(node.post("/api/v1/workflows/" + id + "/cancel"));
    state("/workflows/" + id, "CANCELLED");
    return id;
  }

  /** Returns a message that was parked just now. */
  private String parked() {
    await(
        node.callboard
            .durableRef("/shop/shelf", ParkedMessagesTest.Put.class)
            .tell(new ParkedMessagesTest.Put("bad figs")));
    Eventually.assertThat(() -> assertThat(allParked()).isNotEmpty());
    return allParked().get(0).path("id").asText();
  }

  private JsonNode allParked() {
    return TestNode.json(node.get("/api/v1/deadletters")).path("items");
  }

  private String idFor(Operation operation) {
    String id = operation.id();
    if (operation.path().startsWith("/deadletters")) {
      return parked();
    } else if (operation.path().startsWith("/jobs")) {
      return switch (id) {
        case "holdJob", "cancelJob" -> laterJob();
        case "releaseJob" -> heldJob();
        default -> OF_ENDED_JOB.contains(id) ? endedJob() : job;
      };
    } else if (id.equals("getWorkflowOutput")) {
      return withOutput;
    }
    return OF_ENDED_WORKFLOW.contains(id)
        ? endedWorkflow()
        : id.equals("cancelWorkflow") ? started("a") : workflow;
  }

  /** Returns the pot, which is restarted after an answer; only an actor that runs is corrected. */
  private String pot(Operation operation) {
    if (operation.id().equals("refoldActor") || operation.id().equals("restoreActor")) {
      state("/actors/pot", "RUNNING");
    }
    return "pot";
  }

  private String value(Operation operation, Parameter parameter) {
    return switch (parameter.name()) {
      case "id" -> idFor(operation);
      case "action" -> "cancel";
      case "s" -> operation.id().equals("sendToSource") ? "inbox" : "files";
      case "h", "node" -> "node-a";
      case "r" -> "clerk";
      case "path" ->
          operation.path().startsWith("/mailboxes")
              ? "shop/shelf"
              : operation.id().equals("changePolicy") ? "stall" : pot(operation);
      default -> "a";
    };
  }

  /** Returns a value that is of this world for a parameter in the query. */
  String query(Operation operation, Parameter parameter) {
    return switch (parameter.name()) {
      case "node" -> "node-a";
      case "version" -> version;
      default -> samples.valid(parameter.schema(), true).asText();
    };
  }

  private void nothingIsUnderWay(String actions) {
    Eventually.assertThat(() -> assertThat(node.delete(actions).statusCode()).isEqualTo(404));
  }

  /** Begins what is to be stopped, at such a rate that it does not end before. */
  private void begin(String actions, String first, String second) {
    String body = "{\"ids\":[\"%s\",\"%s\"],\"ratePerSecond\":0.01}".formatted(first, second);
    JsonNode unused = done(node.post("/api/v1/%s/cancel".formatted(actions), body));
  }

  /**
   * Returns the path of an operation to an object that it is possible for, with what it requires.
   */
  String path(Operation operation) {
    if (operation.id().equals("getLimit")) {
      put("/limits/a", "{\"running\":1}");
    }
    if (operation.id().equals("startJobAction")) {
      nothingIsUnderWay("/api/v1/job-actions");
    } else if (operation.id().equals("startWorkflowAction")) {
      nothingIsUnderWay("/api/v1/workflow-actions");
    } else if (operation.id().equals("stopJobAction")) {
      begin("job-actions", laterJob(), laterJob());
    } else if (operation.id().equals("stopWorkflowAction")) {
      begin("workflow-actions", started("a"), started("a"));
    }
    String path = operation.base() + operation.path();
    String query = "";
    for (Parameter parameter : operation.parameters()) {
      if (parameter.in().equals("path")) {
        path = path.replace("{" + parameter.name() + "}", value(operation, parameter));
      } else if (parameter.in().equals("query") && parameter.required()) {
        query = "?" + parameter.name() + "=a";
      }
    }
    return path + query;
  }

  /** Returns a body with what is required, or with all fields that go together; null for none. */
  @Nullable JsonNode body(Operation operation, boolean all) {
    if (operation.raw()) {
      return Json.parse("a definition", DEFINITION.formatted("handler:nobody").getBytes(UTF_8));
    } else if (operation.body() == null) {
      return null;
    }
    JsonNode sample = samples.valid(operation.body(), all);
    switch (operation.id()) {
      case "sendToSource" -> {
        return ((ObjectNode) sample).put("order", 1);
      }
      case "startJobAction", "startWorkflowAction" -> {
        return all
            ? ((ObjectNode) sample).without("ids")
            : ((ObjectNode) sample).set("filter", JsonNodeFactory.instance.objectNode());
      }
      case "submitJob" -> { // a process with what is required; a job of a handler with all else
        ObjectNode job = (ObjectNode) sample.deepCopy();
        if (all) {
          job.put("type", HANDLER).without(List.of("command", "env", "nice"));
          job.set("args", ARGS);
        } else {
          job.putArray("command").add("true");
        }
        return job;
      }
      case "putType" -> {
        return ((ObjectNode) sample.deepCopy()).put("runner", "handler").put("handler", HANDLER);
      }
      case "replayParked" -> {
        return all
            ? Json.parse("a body", "{\"body\":{\"what\":\"good figs\"}}".getBytes(UTF_8))
            : sample;
      }
      case "startWorkflow" -> {
        return ((ObjectNode) sample).without("version");
      }
      case "putWorkflowBrake" -> {
        return ((ObjectNode) sample.deepCopy()).put("credit", 1).without("off");
      }
      default -> {
        return sample;
      }
    }
  }
}
