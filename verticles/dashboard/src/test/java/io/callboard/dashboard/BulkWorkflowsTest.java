package io.callboard.dashboard;

import static io.callboard.dashboard.TestNode.json;
import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.Json;
import io.callboard.dashboard.internal.auth.TestUsers;
import io.callboard.dashboard.internal.contract.Role;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.Waits;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketConnectOptions;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Actions on many instances of workflows over REST, and their numbers on the WebSocket. */
@Tag("real")
class BulkWorkflowsTest {
  private static final String ACTIONS = "/api/v1/workflow-actions";

  @TempDir Path data;
  private TestNode node;

  @AfterEach
  void stop() {
    node.close();
  }

  private void start() {
    node = new TestNode(data, TestNode.options());
    define("waits", "{a: {run: 'handler:nobody'}}"); // until it is cancelled
    define("fails", "{a: {run: process, with: {command: ['false']}}}");
  }

  private void define(String name, String steps) {
    HttpResponse<String> answer =
        node.put(
            "/api/v1/workflow-definitions/" + name,
            "application/yaml",
            "{name: %s, steps: %s}".formatted(name, steps));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
  }

  private List<String> run(int count, String definition, String batch) {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      HttpResponse<String> answer =
          node.post(
              "/api/v1/workflows",
              "{\"definition\":\"%s\",\"labels\":{\"batch\":\"%s\"}}".formatted(definition, batch));
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
      ids.add(json(answer).path("id").asText());
    }
    return ids;
  }

  private JsonNode extent(String query) {
    HttpResponse<String> answer = node.get(ACTIONS + "/" + query);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return json(answer);
  }

  private void awaitMatched(String query, int count) {
    Eventually.assertThat(() -> assertThat(extent(query).path("matched").asInt()).isEqualTo(count));
  }

  private HttpResponse<String> act(String action, String body) {
    return node.send(
        node.request(ACTIONS + "/" + action)
            .header("Content-Type", "application/json")
            .header("X-Callboard-Reason", "wrong%20input")
            .POST(BodyPublishers.ofString(body.replace('\'', '"'))));
  }

  private JsonNode last() {
    return json(node.get(ACTIONS)).path("items").path(0);
  }

  private JsonNode awaitEnd() {
    Eventually.assertThat(() -> assertThat(last().has("endedAt")).isTrue());
    return last();
  }

  private String state(String id) {
    return json(node.get("/api/v1/workflows/" + id)).path("state").asText();
  }

  private void awaitState(List<String> ids, String state) {
    Eventually.assertThat(
        () -> assertThat(ids).allSatisfy(id -> assertThat(state(id)).isEqualTo(state)));
  }

  @Test
  void aChildIsRetriedWithTheStepThatStartedItOnly() {
    start();
    define("parent", "{sub: {run: 'subworkflow:fails'}}");
    awaitState(run(2, "parent", "parents"), "FAILED");
    Eventually.assertThat(() -> assertThat(extent("delete").path("matched").asInt()).isEqualTo(4));
    assertThat(extent("retry").path("matched").asInt()).isEqualTo(2);
  }

  @Test
  void exactlyTheInstancesOfTheAnnouncedScopeAreReached() {
    start();
    List<String> wrong = run(5, "waits", "wrong");
    List<String> right = run(3, "waits", "right");
    awaitMatched("cancel", 8);
    Eventually.assertThat(() -> assertThat(extent("cancel").path("total").asInt()).isEqualTo(8));
    JsonNode extent = extent("cancel?label=batch=wrong&definition=waits");
    assertThat(extent.path("matched").asInt()).isEqualTo(5);
    assertThat(extent.path("more").asBoolean()).isFalse();
    assertThat(extent.at("/byState/RUNNING").asInt()).isEqualTo(5);
    assertThat(extent.path("oldest").asText())
        .isEqualTo(json(node.get("/api/v1/workflows/" + wrong.get(0))).path("createdAt").asText());
    assertThat(extent.has("incomplete")).isFalse();
    assertThat(extent("cancel?definition=fails").path("matched").asInt()).isZero();

    HttpResponse<String> begun =
        act("cancel", "{'filter':{'label':'batch=wrong'},'limit':5,'ratePerSecond':100}");
    assertThat(begun.statusCode()).as(begun.body()).isEqualTo(202);
    assertThat(json(begun).path("matched").asInt()).isEqualTo(5);
    JsonNode ended = awaitEnd();
    assertThat(ended.path("state").asText()).isEqualTo("ENDED");
    assertThat(ended.path("action").asText()).isEqualTo("cancel");
    assertThat(ended.path("done").asInt()).isEqualTo(5);
    assertThat(ended.path("reason").asText()).isEqualTo("wrong input");
    awaitState(wrong, "CANCELLED");
    assertThat(right).allSatisfy(id -> assertThat(state(id)).isEqualTo("RUNNING"));
    assertThat(json(node.get("/api/v1/job-actions")).path("items")).as("of jobs").isEmpty();

    List<String> entries = new ArrayList<>();
    for (JsonNode entry : json(node.get("/api/v1/audit")).path("items")) {
      if (entry.path("operation").asText().equals("startWorkflowAction")) {
        entries.add(
            "%s (%s) %s %s"
                .formatted(
                    entry.path("subject").asText(),
                    entry.path("detail").asText(),
                    entry.path("status").asInt(),
                    entry.path("reason").asText()));
      }
    }
    assertThat(entries)
        .as("audited once")
        .containsExactly(
            "/workflow-actions/cancel (5 workflows of label batch=wrong, at most 5, 100 a second) 202 wrong input");
  }

  @Test
  void failedInstancesAreRetriedAndEndedOnesDeleted() {
    start();
    List<String> failed = run(2, "fails", "x");
    List<String> waiting = run(1, "waits", "x");
    awaitState(failed, "FAILED");
    awaitMatched("retry", 2);
    assertThat(act("retry", "{'filter':{'state':'FAILED'},'ratePerSecond':100}").statusCode())
        .isEqualTo(202);
    assertThat(awaitEnd().path("done").asInt()).isEqualTo(2);
    Eventually.assertThat(
        () ->
            assertThat(failed)
                .allSatisfy(
                    id -> {
                      JsonNode instance = json(node.get("/api/v1/workflows/" + id));
                      assertThat(instance.at("/steps/a/runs").asInt()).isEqualTo(2);
                      assertThat(instance.path("state").asText()).isEqualTo("FAILED");
                    }));
    awaitMatched("delete", 2);
    assertThat(act("delete", "{'filter':{},'ratePerSecond':100}").statusCode()).isEqualTo(202);
    JsonNode deleted = awaitEnd();
    assertThat(deleted.path("action").asText()).isEqualTo("delete");
    assertThat(deleted.path("done").asInt()).isEqualTo(2);
    for (String id : failed) {
      assertThat(node.get("/api/v1/workflows/" + id).statusCode()).isEqualTo(404);
    }
    assertThat(state(waiting.get(0))).isEqualTo("RUNNING");
    awaitMatched("delete", 0);
    assertThat(extent("delete").has("oldest")).isFalse();
  }

  @Test
  void aFailureIsReportedWithItsReason() {
    start();
    List<String> ids = run(2, "waits", "x");
    String ended = ids.get(0);
    assertThat(node.post("/api/v1/workflows/" + ended + "/cancel").statusCode()).isEqualTo(202);
    awaitState(List.of(ended), "CANCELLED");
    String body =
        "{'ids':['%s','%s','no-such','%s'],'ratePerSecond':100}"
            .formatted(ended, ids.get(1), ids.get(1));
    assertThat(act("cancel", body).statusCode()).isEqualTo(202);
    JsonNode status = awaitEnd();
    assertThat(status.path("matched").asInt()).as("each once").isEqualTo(3);
    assertThat(status.path("done").asInt()).isEqualTo(1);
    assertThat(status.path("failed").asInt()).isEqualTo(2);
    Map<String, JsonNode> failures = new HashMap<>();
    status.path("failures").forEach(each -> failures.put(each.path("id").asText(), each));
    assertThat(failures).containsOnlyKeys(ended, "no-such");
    assertThat(failures.get(ended).path("code").asText()).isEqualTo("ILLEGAL_STATE");
    assertThat(failures.get(ended).path("detail").asText())
        .isEqualTo("it is CANCELLED by now, and the request was for workflows that are RUNNING");
    assertThat(failures.get("no-such").path("code").asText()).isEqualTo("NOT_FOUND");
    awaitState(List.of(ids.get(1)), "CANCELLED");
  }

  @Test
  void onlyOneActionIsUnderWayAndItCanBeStopped() {
    start();
    List<String> ids = run(4, "waits", "x");
    awaitMatched("cancel", 4);
    assertThat(act("cancel", "{'filter':{},'ratePerSecond':0.01}").statusCode()).isEqualTo(202);
    HttpResponse<String> second = act("cancel", "{'filter':{},'ratePerSecond':1}");
    assertThat(second.statusCode()).as(second.body()).isEqualTo(409);
    assertThat(second.body()).contains("still to cancel 4 workflows", "or stop it");
    Eventually.assertThat(() -> assertThat(last().path("done").asInt()).isEqualTo(1));
    assertThat(node.delete(ACTIONS).statusCode()).isEqualTo(202);
    JsonNode status = awaitEnd();
    assertThat(status.path("state").asText()).isEqualTo("STOPPED");
    assertThat(status.path("why").asText()).contains("3 were not tried");
    awaitState(ids.subList(0, 1), "CANCELLED");
    assertThat(ids.subList(1, 4)).allSatisfy(id -> assertThat(state(id)).isEqualTo("RUNNING"));
    assertThat(node.delete(ACTIONS).statusCode()).isEqualTo(404);
  }

  @Test
  void anImpossibleActionIsNamed() {
    start();
    HttpResponse<String> wrong = node.get(ACTIONS + "/cancel?state=FAILED");
    assertThat(wrong.statusCode()).isEqualTo(400);
    assertThat(wrong.body()).contains("/state", "a workflow that is FAILED", "RUNNING");
    HttpResponse<String> body = act("retry", "{'filter':{'state':'RUNNING'},'ratePerSecond':1}");
    assertThat(body.statusCode()).isEqualTo(422);
    assertThat(json(body).at("/errors/0/pointer").asText()).isEqualTo("/filter/state");
    assertThat(act("hold", "{'filter':{},'ratePerSecond':1}").statusCode()).isEqualTo(400);
    assertThat(act("cancel", "{'ratePerSecond':1}").statusCode()).isEqualTo(422);
    assertThat(act("cancel", "{'filter':{},'ratePerSecond':1000}").statusCode()).isEqualTo(422);
    HttpResponse<String> type = act("cancel", "{'filter':{'type':'x'},'ratePerSecond':1}");
    assertThat(type.statusCode()).as("a field of jobs").isEqualTo(422);
  }

  @Test
  void deletingManyNeedsTheRoleForDeletingOne() {
    Path users = TestUsers.write(data.resolve("users"), TestUsers.text());
    node = new TestNode(data, TestNode.options().auth(AuthOptions.users(users)));
    assertThat(as(Role.OPERATOR, "delete").statusCode()).isEqualTo(403);
    assertThat(as(Role.OPERATOR, "delete").body()).contains("to delete workflows needs the role");
    assertThat(as(Role.OPERATOR, "cancel").statusCode()).isEqualTo(202);
    assertThat(as(Role.ADMIN, "delete").statusCode()).isEqualTo(202);
  }

  private HttpResponse<String> as(Role role, String action) {
    return node.send(
        node.request(ACTIONS + "/" + action)
            .header("Content-Type", "application/json")
            .header("Authorization", TestUsers.basic(role))
            .POST(BodyPublishers.ofString("{\"filter\":{},\"ratePerSecond\":100}")));
  }

  @Test
  void numbersByStateFollowTheInstances() throws InterruptedException {
    start();
    List<String> failed = run(2, "fails", "x");
    run(3, "waits", "x");
    awaitState(failed, "FAILED");
    BlockingQueue<JsonNode> frames = new LinkedBlockingQueue<>();
    WebSocket socket =
        await(
            node.sockets.connect(
                new WebSocketConnectOptions()
                    .setHost("127.0.0.1")
                    .setPort(node.front.port())
                    .setURI("/ws")
                    .setSubProtocols(List.of("callboard.v1+json"))));
    socket.textMessageHandler(
        text -> frames.add(Json.parse("a frame", text.getBytes(StandardCharsets.UTF_8))));
    await(socket.writeTextMessage("{\"t\":\"hello\"}"));
    await(socket.writeTextMessage("{\"t\":\"sub\",\"id\":1,\"topic\":\"workflow-counts\"}"));
    await(
        socket.writeTextMessage(
            "{\"t\":\"sub\",\"id\":2,\"topic\":\"workflow-counts\",\"q\":{\"definition\":\"fails\"}}"));
    awaitCounts(frames, Map.of(1, "{\"FAILED\":2,\"RUNNING\":3}", 2, "{\"FAILED\":2}"));
    assertThat(act("cancel", "{'filter':{},'ratePerSecond':100}").statusCode()).isEqualTo(202);
    awaitCounts(frames, Map.of(1, "{\"CANCELLED\":3,\"FAILED\":2}"));
    await(socket.close());
  }

  /** Waits until each of these subscriptions has been told these numbers. */
  private static void awaitCounts(BlockingQueue<JsonNode> frames, Map<Integer, String> expected)
      throws InterruptedException {
    Map<Integer, JsonNode> told = new HashMap<>();
    Map<Integer, JsonNode> wanted = new HashMap<>();
    expected.forEach(
        (id, text) -> wanted.put(id, Json.parse("numbers", text.getBytes(StandardCharsets.UTF_8))));
    Waits.next(
        frames,
        frame -> {
          JsonNode row =
              frame.path("t").asText().equals("snap")
                  ? frame.at("/rows/0")
                  : frame.at("/up/counts");
          if (row.has("byState")) {
            told.put(frame.path("id").asInt(), row.path("byState"));
          }
          return told.entrySet().containsAll(wanted.entrySet());
        });
  }
}
