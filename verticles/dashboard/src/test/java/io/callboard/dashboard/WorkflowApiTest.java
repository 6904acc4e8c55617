package io.callboard.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.testkit.Eventually;
import io.callboard.workflows.definition.DefinitionSchema;
import io.vertx.core.Future;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Definitions and instances of workflows over REST. */
@Tag("real")
class WorkflowApiTest {
  private static final String YAML = "application/yaml";
  private static final String JSON = "application/json";
  private static final String DEFINITIONS = "/api/v1/workflow-definitions/";
  private static final String WAITS =
      "{name: waits, steps: {a: {run: 'handler:nobody'}, b: {run: 'handler:nobody', after: {a: success}}}, finally: {c: {run: 'handler:nobody'}}}";

  @TempDir static Path data;

  private static TestNode node;

  @BeforeAll
  static void start() {
    node = new TestNode(data, TestNode.options());
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static JsonNode put(String name, String yaml, int status) {
    HttpResponse<String> answer = node.put(DEFINITIONS + name, YAML, yaml);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    return TestNode.json(answer);
  }

  private static JsonNode get(String path) {
    HttpResponse<String> answer = node.get("/api/v1" + path);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return TestNode.json(answer);
  }

  private static JsonNode post(String path, String json, int status) {
    HttpResponse<String> answer = node.post("/api/v1" + path, json);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    return TestNode.json(answer);
  }

  private static List<String> texts(JsonNode list, String field) {
    List<String> texts = new ArrayList<>();
    list.forEach(each -> texts.add(each.path(field).asText()));
    return texts;
  }

  @Test
  void allErrorsOfADefinitionComeAtOnceWithCodeAndPlace() {
    JsonNode problem =
        put(
            "bad",
            """
            name: bad
            steps:
              a: {run: "handler:a", after: {b: success, c: sucess}}
              b: {run: nothing, after: {a: success}}
              d: {run: "handler:d", after: {e: ok}}
            """,
            422);
    assertThat(problem.path("code").asText()).isEqualTo("INVALID");
    assertThat(texts(problem.path("errors"), "code"))
        .containsExactly("WF011", "WF012", "WF002", "WF002", "WF001");
    assertThat(texts(problem.path("errors"), "pointer"))
        .contains("/steps/a/after/c", "/steps/b/run", "/steps/d/after/e");
    assertThat(problem.at("/errors/0/detail").asText())
        .isEqualTo(
            "\"sucess\" is no condition of an edge; one of success, failure, any, ok (line 3, column 45)");
  }

  @Test
  void versionIsStoredOnce() {
    JsonNode first = put("waits", WAITS, 201);
    assertThat(put("waits", WAITS, 200).path("version")).isEqualTo(first.path("version"));
    HttpResponse<String> json =
        node.put(DEFINITIONS + "waits", JSON, first.path("definition").toString());
    assertThat(json.statusCode()).isEqualTo(200);
    assertThat(json.headers().firstValue("ETag"))
        .contains('"' + first.path("version").asText() + '"');
    assertThat(texts(first.path("graph"), "step")).containsExactly("a", "b", "c");
    assertThat(texts(first.path("graph"), "level")).containsExactly("0", "1", "0");
    assertThat(texts(first.path("graph"), "last")).containsExactly("false", "false", "true");
    JsonNode read = get("/workflow-definitions/waits?version=" + first.path("version").asText());
    assertThat(read.path("definition")).isEqualTo(first.path("definition"));
    assertThat(
            node.send(
                    node.request(DEFINITIONS + "waits")
                        .header("If-None-Match", '"' + first.path("version").asText() + '"'))
                .statusCode())
        .isEqualTo(304);
    assertThat(node.get(DEFINITIONS + "waits?version=" + "0".repeat(64)).statusCode())
        .isEqualTo(404);
  }

  /** Ten thousand steps are read and packed in DefinitionTextTest, and played elsewhere. */
  @Test
  void definitionOfAThousandStepsIsStoredAndRead() {
    StringBuilder yaml = new StringBuilder("name: large\nsteps:\n");
    for (int i = 0; i < 1_000; i++) {
      yaml.append("  step-%d:\n    run: process\n".formatted(i));
      yaml.append(
          "    with: {command: [sh, -c, \"convert --page %d --to /out/%d.png\"]}\n"
              .formatted(i, i * 7));
      yaml.append("    retry: {attempts: 3, initial: PT1S}\n");
      if (i >= 137) { // paths of at most a hundred steps
        yaml.append("    after: {step-%d: success, step-%d: ok}\n".formatted(i - 100, i - 137));
      }
    }
    assertThat(yaml.length()).isBetween(150_000, 400_000);
    JsonNode stored = put("large", yaml.toString(), 201);
    assertThat(stored.path("graph").size()).isEqualTo(1_000);
    assertThat(stored.path("definition").toString().length()).isGreaterThan(150_000);
    assertThat(get("/workflow-definitions/large").path("definition"))
        .isEqualTo(stored.path("definition"));
    assertThat(get("/workflow-definitions/large/versions").at("/items/0/steps").asInt())
        .isEqualTo(1_000);
    HttpResponse<String> tooLarge =
        node.put(DEFINITIONS + "large", YAML, yaml + "#".repeat(4 << 20));
    assertThat(tooLarge.statusCode()).isEqualTo(413);
    assertThat(tooLarge.body()).contains("the body exceeds the limit of 4194304 bytes");
  }

  @Test
  void inputThatDoesNotMatchIsNamedWithItsPlace() {
    put(
        "typed",
        "{name: typed, input: {required: [n], properties: {n: {type: integer}}}, weight: 3, steps: {a: {run: 'handler:nobody'}}}",
        201);
    JsonNode wrong = post("/workflows", "{\"definition\":\"typed\",\"input\":{\"n\":\"x\"}}", 422);
    assertThat(wrong.at("/errors/0/pointer").asText()).isEqualTo("/input/n");
    post("/workflows", "{\"definition\":\"typed\"}", 422);
    post("/workflows", "{\"definition\":\"typed\",\"input\":{\"n\":1}}", 201);
    JsonNode bad =
        put(
            "typed",
            "{name: typed, input: {type: text}, steps: {a: {run: http, with: {url: x}}}}",
            422);
    assertThat(bad.at("/errors/0/pointer").asText()).isEqualTo("/input/type");
  }

  @Test
  void dryRunStoresNothing() {
    JsonNode checked = put("unstored?dryRun=true", WAITS.replace("waits", "unstored"), 200);
    assertThat(checked.has("createdAt")).isFalse();
    assertThat(node.get(DEFINITIONS + "unstored").statusCode()).isEqualTo(404);
    assertThat(put("unstored?dryRun=true", "{name: unstored, steps: {}}", 422).at("/errors/0/code"))
        .hasToString("\"WF010\"");
  }

  @Test
  void nameInThePathIsThatOfTheDefinition() {
    assertThat(put("other", WAITS, 422).at("/errors/0/detail").asText())
        .isEqualTo("is \"waits\", but the path names \"other\"");
  }

  @Test
  void textThatCannotBeReadIsMalformed() {
    assertThat(put("x", "name: x\nsteps: {a: [}", 400).path("detail").asText()).contains("line 2");
    assertThat(put("x", " ", 400).path("detail").asText()).isEqualTo("the body is empty");
    assertThat(node.put(DEFINITIONS + "x", "text/yaml", "name: x").statusCode()).isEqualTo(415);
  }

  @Test
  void warningsComeWithTheAnswer() {
    JsonNode stored =
        put(
            "same",
            """
            name: same
            steps:
              a: {run: "handler:x"}
              b: {run: "handler:x"}
              c: {run: "handler:y", merge: disjoint, after: {a: success, b: success}}
              d: {run: job, with: {type: proces}}
            """,
            201);
    assertThat(texts(stored.path("warnings"), "code")).contains("WF008");
    assertThat(texts(stored.path("warnings"), "pointer")).contains("/steps/d/with/type");
    JsonNode none = put("none", "name: none\nsteps: {a: {run: 'handler:x'}}", 201);
    assertThat(texts(none.path("warnings"), "pointer")).containsExactly("/steps/a/run");
  }

  @Test
  void schemaIsThatOfTheEngine() {
    HttpResponse<String> answer = node.get("/api/v1/schemas/workflow-definition");
    assertThat(answer.body().getBytes(StandardCharsets.UTF_8)).isEqualTo(DefinitionSchema.read());
  }

  @Test
  void versionsHaveTheNumbersOfTheirInstances() {
    put("versions", WAITS.replace("waits", "versions"), 201);
    String old = post("/workflows", "{\"definition\":\"versions\"}", 201).path("version").asText();
    put("versions", WAITS.replace("waits", "versions").replace("nobody'}}}", "none'}}}"), 201);
    String id = post("/workflows", "{\"definition\":\"versions\"}", 201).path("id").asText();
    post("/workflows", "{\"definition\":\"versions\",\"version\":\"" + old + "\"}", 201);
    post("/workflows/" + id + "/cancel", "{}", 202);
    Eventually.assertThat(
        () -> {
          JsonNode versions = get("/workflow-definitions/versions/versions").path("items");
          assertThat(texts(versions, "current")).containsExactly("true", "false");
          assertThat(versions.at("/1/version").asText()).isEqualTo(old);
          assertThat(versions.at("/1/instances/RUNNING").asInt()).isEqualTo(2);
          assertThat(
                  versions.at("/0/instances/RUNNING").asInt()
                      + versions.at("/0/instances/CANCELLING").asInt()
                      + versions.at("/0/instances/CANCELLED").asInt())
              .isEqualTo(1);
        });
    JsonNode all = get("/workflow-definitions").path("items");
    assertThat(texts(all, "name")).contains("versions");
  }

  @Test
  void instanceIsStartedListedAndCancelled() {
    put("waits", WAITS, put("waits?dryRun=true", WAITS, 200).isEmpty() ? 201 : 200);
    HttpResponse<String> started =
        node.post(
            "/api/v1/workflows",
            "{\"definition\":\"waits\",\"input\":{\"x\":[1]},\"priority\":7,\"labels\":{\"team\":\"a\"},\"uniqueKey\":\"one\"}");
    assertThat(started.statusCode()).isEqualTo(201);
    JsonNode instance = TestNode.json(started);
    String id = instance.path("id").asText();
    assertThat(started.headers().firstValue("Location")).contains("/api/v1/workflows/" + id);
    assertThat(instance.at("/input/x/0").asInt()).isEqualTo(1);
    assertThat(
            node.post("/api/v1/workflows", "{\"definition\":\"waits\",\"uniqueKey\":\"one\"}")
                .statusCode())
        .isEqualTo(200);
    JsonNode steps = get("/workflows/" + id).path("steps");
    List<String> names = new ArrayList<>();
    steps.fieldNames().forEachRemaining(names::add);
    assertThat(names).containsExactly("a", "b", "c");
    Eventually.assertThat(
        () ->
            assertThat(texts(get("/workflows?label=team%3Da&definition=waits").path("items"), "id"))
                .containsExactly(id));
    assertThat(get("/workflows/" + id + "/why").path("steps").has("a")).isTrue();
    assertThat(get("/workflows/" + id + "/events").path("items").size()).isPositive();
    assertThat(delete("/workflows/" + id)).as("it has not ended").isEqualTo(409);
    JsonNode early = post("/workflows/" + id + "/retry", "{}", 409);
    assertThat(early.path("state").asText()).isEqualTo("RUNNING");
    assertThat(post("/workflows/" + id + "/cancel", "{}", 202).path("state").asText())
        .isIn("CANCELLING", "CANCELLED");
    assertThat(
            post("/workflows/" + id + "/rerun-from", "{\"step\":\"a\"}", 409)
                .path("state")
                .asText())
        .isEqualTo("CANCELLING"); // its finally step waits for a worker
    assertThat(post("/workflows/" + id + "/cancel", "{\"force\":\"yes\"}", 422).toString())
        .contains("/force");
    JsonNode forced = post("/workflows/" + id + "/cancel", "{\"force\":true}", 202);
    assertThat(forced.path("id").asText()).isEqualTo(id);
    Eventually.assertThat(
        () -> assertThat(get("/workflows/" + id).path("state").asText()).isEqualTo("CANCELLED"));
    assertThat(get("/workflows/" + id).path("reason").asText())
        .contains("by force of a client at ", "finally did not complete: ");
    Eventually.assertThat(
        () ->
            assertThat(get("/audit").path("items").findValuesAsText("detail"))
                .contains("from step a", "by force"));
  }

  @Test
  void outputOfAStepIsWholeHoweverLarge() {
    put(
        "large",
        """
        name: large
        steps:
          a:
            run: process
            with:
              command:
                - sh
                - -c
                - |
                  (printf '"'; head -c 40000 /dev/zero | tr '\\0' x; printf '"') > "$CALLBOARD_RESULT_FILE"
          b: {run: process, with: {command: ["false"]}, after: {a: success}}
        """,
        201);
    String id = post("/workflows", "{\"definition\":\"large\"}", 201).path("id").asText();
    String path = "/workflows/" + id;
    Eventually.assertThat(() -> assertThat(get(path).path("state").asText()).isEqualTo("FAILED"));
    JsonNode step = get(path).at("/steps/a");
    assertThat(step.has("output")).as(step.toString()).isFalse();
    assertThat(step.path("outputBytes").asInt()).isEqualTo(40_002);
    HttpResponse<String> output = node.get("/api/v1" + path + "/outputs/a");
    assertThat(output.headers().firstValue("Content-Type")).contains(JSON);
    assertThat(output.body()).isEqualTo('"' + "x".repeat(40_000) + '"');
    HttpResponse<String> none = node.get("/api/v1" + path + "/outputs/b");
    assertThat(none.statusCode()).isEqualTo(404);
    assertThat(none.body()).contains("the step b is FAILED and has no output");
    assertThat(node.get("/api/v1" + path + "/outputs/c").statusCode()).isEqualTo(404);
  }

  @Test
  void endedInstanceIsRunAgainFromAStep() {
    put(
        "jobs",
        """
        name: jobs
        steps:
          a: {run: process, with: {command: ["true"]}}
          b: {run: process, with: {command: [sh, -c, "exit 3"]}, after: {a: success}}
        """,
        201);
    String id = post("/workflows", "{\"definition\":\"jobs\"}", 201).path("id").asText();
    ends(id, 1);
    JsonNode failed = get("/workflows/" + id);
    assertThat(failed.at("/steps/b/state").asText()).isEqualTo("FAILED");
    assertThat(failed.at("/steps/b/child").asText()).isNotEmpty();
    assertThat(get("/jobs/" + failed.at("/steps/b/child").asText()).path("state").asText())
        .isEqualTo("DEAD");
    assertThat(
            post("/workflows/" + id + "/rerun-from", "{\"step\":\"zz\"}", 422)
                .at("/errors/0/pointer")
                .asText())
        .isEqualTo("/step");
    post("/workflows/" + id + "/retry", "{}", 202);
    ends(id, 2);
    post("/workflows/" + id + "/rerun-from", "{\"step\":\"a\"}", 202);
    ends(id, 3);
    assertThat(get("/workflows/" + id).at("/steps/a/runs").asInt()).isEqualTo(2);
    JsonNode listed = get("/workflows?definition=jobs&state=FAILED").path("items");
    assertThat(listed.at("/0/steps/SUCCEEDED").asInt()).isEqualTo(1);
    assertThat(delete("/workflows/" + id)).isEqualTo(204);
    assertThat(delete("/workflows/" + id)).isEqualTo(404);
    assertThat(node.get("/api/v1/workflows/" + id).statusCode()).isEqualTo(404);
  }

  private static int delete(String path) {
    return node.delete("/api/v1" + path).statusCode();
  }

  private static void ends(String id, int runs) {
    Eventually.assertThat(
        () -> {
          JsonNode instance = get("/workflows/" + id);
          assertThat(instance.at("/steps/b/runs").asInt()).isEqualTo(runs);
          assertThat(instance.path("state").asText()).isEqualTo("FAILED");
        });
  }

  @Test
  void unknownIdsAndNamesAreNamedInTheError() {
    assertThat(
            post("/workflows", "{\"definition\":\"nope\"}", 422).at("/errors/0/pointer").asText())
        .isEqualTo("/definition");
    assertThat(node.get("/api/v1/workflows/nope").statusCode()).isEqualTo(404);
    assertThat(node.get(DEFINITIONS + "nope/versions").statusCode()).isEqualTo(404);
  }

  @Test
  void brakeIsOverriddenAndGivenBack() {
    put("braked", WAITS.replace("waits", "braked"), 201);
    String path = "/workflow-definitions/braked/brake";
    JsonNode off = get(path);
    assertThat(off.path("level").asText()).isEqualTo("OFF");
    assertThat(off.has("credit")).isFalse();
    HttpResponse<String> set =
        node.put("/api/v1" + path, JSON, "{\"credit\":0,\"reason\":\"the scanner is broken\"}");
    assertThat(set.statusCode()).as(set.body()).isEqualTo(200);
    assertThat(TestNode.json(set).at("/override/reason").asText())
        .isEqualTo("the scanner is broken");
    assertThat(TestNode.json(set).at("/override/by").asText()).startsWith("a client at 127.0.0.1");
    Eventually.assertThat(
        () -> {
          JsonNode brake = get(path);
          assertThat(brake.path("credit").asInt(-1)).isZero();
          assertThat(brake.at("/changes/0/cause").asText()).endsWith(": the scanner is broken");
          assertThat(row("braked").at("/brake/overridden").asBoolean()).isTrue();
        });
    assertThat(delete(path)).isEqualTo(204);
    Eventually.assertThat(
        () -> {
          assertThat(get(path).has("override")).isFalse();
          assertThat(row("braked").has("brake")).isFalse();
        });
  }

  private static JsonNode row(String definition) {
    for (JsonNode each : get("/workflow-definitions").path("items")) {
      if (each.path("name").asText().equals(definition)) {
        return each;
      }
    }
    throw new AssertionError("there is no " + definition);
  }

  @Test
  void overrideThatMakesNoSenseIsRefused() {
    put("odd", WAITS.replace("waits", "odd"), 201);
    for (String body :
        List.of(
            "{\"reason\":\"x\"}",
            "{\"off\":false,\"reason\":\"x\"}",
            "{\"credit\":1,\"off\":true,\"reason\":\"x\"}",
            "{\"credit\":-1,\"reason\":\"x\"}",
            "{\"credit\":1000001,\"reason\":\"x\"}")) {
      HttpResponse<String> answer = node.put(DEFINITIONS + "odd/brake", JSON, body);
      assertThat(answer.statusCode()).as(body + answer.body()).isEqualTo(422);
      assertThat(TestNode.json(answer).at("/errors/0/pointer").asText()).isEqualTo("/credit");
    }
    HttpResponse<String> silent = node.put(DEFINITIONS + "odd/brake", JSON, "{\"credit\":1}");
    assertThat(TestNode.json(silent).at("/errors/0/pointer").asText()).isEqualTo("/reason");
    String off = "{\"off\":true,\"reason\":\"x\"}";
    assertThat(node.put(DEFINITIONS + "nope/brake", JSON, off).statusCode()).isEqualTo(404);
    assertThat(node.get(DEFINITIONS + "nope/brake").statusCode()).isEqualTo(404);
    assertThat(node.get(DEFINITIONS + "nope/stats").statusCode()).isEqualTo(404);
    assertThat(delete("/workflow-definitions/nope/brake")).isEqualTo(404);
  }

  @Test
  void theCountsOfADefinitionAreThereByStep() {
    put("counted", "{name: counted, steps: {a: {run: process, with: {command: ['true']}}}}", 201);
    String id = post("/workflows", "{\"definition\":\"counted\"}", 201).path("id").asText();
    Eventually.assertThat(
        () -> {
          assertThat(get("/workflows/" + id).path("state").asText()).isEqualTo("SUCCEEDED");
          JsonNode stats = get("/workflow-definitions/counted/stats");
          assertThat(stats.path("succeeded").asInt()).isEqualTo(1);
          assertThat(stats.path("endedPerMinute").asDouble()).isEqualTo(0.2);
          assertThat(stats.at("/steps/a/succeeded").asInt()).isEqualTo(1);
          assertThat(stats.at("/steps/a/durations/count").asInt()).isEqualTo(1);
          assertThat(Duration.parse(stats.at("/durations/p50").asText()))
              .isLessThan(Duration.ofMinutes(1));
        });
  }

  @Test
  void workersAreListed() {
    node.workflows.workers().handle("greet@2", step -> Future.succeededFuture(step.input()));
    Eventually.assertThat(
        () ->
            assertThat(get("/workers").at("/workers/0/types"))
                .as("as a definition writes them")
                .anySatisfy(type -> assertThat(type.asText()).isEqualTo("handler:greet@2")));
    JsonNode workers = get("/workers");
    assertThat(workers.path("workers").isArray()).isTrue();
    assertThat(workers.path("queues").isArray()).isTrue();
  }
}
