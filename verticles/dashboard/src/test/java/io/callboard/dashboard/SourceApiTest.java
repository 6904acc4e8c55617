package io.callboard.dashboard;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.Waits;
import io.callboard.workflows.definition.Workflow;
import io.vertx.core.http.WebSocket;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sources over REST, in the metrics and on the WebSocket. */
@Tag("real")
class SourceApiTest {
  private static final String SOURCES = "/api/v1/sources";

  @TempDir static Path data;

  @AutoClose private static TestNode node;
  private static Path directory;

  static Path directory(Path data) throws IOException {
    return Files.createDirectories(data.toAbsolutePath().resolve("files"));
  }

  /** A directory, and requests, whose messages start the workflow etl. */
  static JsonObject configured(Path directory) {
    return new JsonObject()
        .put(
            "files",
            new JsonObject()
                .put("kind", "directory")
                .put(
                    "settings",
                    new JsonObject().put("path", directory.toString()).put("settle", "PT0S"))
                .put("ack", "on_accept")
                .put("start", new JsonObject().put("workflow", "etl")))
        .put(
            "inbox",
            new JsonObject()
                .put("kind", "http")
                .put(
                    "start",
                    new JsonObject()
                        .put("workflow", "etl")
                        .put("input", new JsonObject().put("order", "${/body/order}"))))
        .put(
            "early",
            new JsonObject()
                .put("kind", "http")
                .put("start", new JsonObject().put("workflow", "not-yet")));
  }

  @BeforeAll
  static void start() throws IOException {
    directory = directory(data);
    node = TestNode.withSources(data, TestNode.options(), configured(directory));
    put("etl");
  }

  private static void put(String workflow) {
    assertThat(
            await(
                    node.workflows.put(
                        Workflow.define(workflow)
                            .step("a", "handler:nobody", s -> s)
                            .build()
                            .definition()))
                .isNew())
        .isTrue();
  }

  private static JsonNode source(String name) {
    HttpResponse<String> answer = node.get(SOURCES + "/" + name);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return TestNode.json(answer);
  }

  private static JsonNode change(String name, String verb, int status) {
    HttpResponse<String> answer = node.post(SOURCES + "/" + name + "/" + verb);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    return TestNode.json(answer);
  }

  private static HttpResponse<String> send(String source, String key, String body) {
    return node.send(
        node.request(SOURCES + "/" + source + "/messages")
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", key)
            .POST(BodyPublishers.ofString(body)));
  }

  private static void awaitStatus(String name, String status) {
    Eventually.assertThat(() -> assertThat(source(name).path("status").asText()).isEqualTo(status));
  }

  @Test
  void aDirectoryIsPausedAndResumed() throws IOException {
    awaitStatus("files", "POLLING");
    JsonNode list = TestNode.json(node.get(SOURCES)).path("items");
    assertThat(list.findValuesAsText("name")).containsExactly("early", "files", "inbox");
    JsonNode paused = change("files", "pause", 202);
    assertThat(paused.path("mode").asText()).isEqualTo("PAUSED");
    assertThat(paused.path("modeBy").asText()).isEqualTo("a client at 127.0.0.1");
    assertThat(paused.path("ack").asText()).isEqualTo("on_accept");
    awaitStatus("files", "PAUSED");
    assertThat(source("files").path("why").asText()).isNotBlank();
    assertThat(change("files", "drain", 202).path("mode").asText()).isEqualTo("DRAINING");
    awaitStatus("files", "DRAINED");
    long before = source("files").at("/totals/completed").asLong();
    Files.writeString(directory.resolve("one.json"), "{\"order\":1}");
    assertThat(change("files", "resume", 202).path("mode").asText()).isEqualTo("RUN");
    Eventually.assertThat(
        () -> assertThat(source("files").at("/totals/completed").asLong()).isEqualTo(before + 1));
    assertThat(directory.resolve("one.json")).doesNotExist();
  }

  @Test
  void aRequestIsAMessageOnce() {
    HttpResponse<String> first = send("inbox", "order-1", "{\"order\":1}");
    assertThat(first.statusCode()).as(first.body()).isEqualTo(202);
    JsonNode accepted = TestNode.json(first);
    assertThat(accepted.path("source").asText()).isEqualTo("inbox");
    assertThat(accepted.path("id").asText()).isEqualTo("order-1");
    JsonNode again = TestNode.json(send("inbox", "order-1", "{\"order\":1}"));
    assertThat(again.path("key")).isEqualTo(accepted.path("key"));
    HttpResponse<String> another = send("inbox", "order-1", "{\"order\":7}");
    assertThat(another.statusCode()).as(another.body()).isEqualTo(422);
    assertThat(TestNode.json(another).path("detail").asText()).contains("another message");
    String instances = "/api/v1/workflows?definition=etl";
    Eventually.assertThat(
        () ->
            assertThat(TestNode.json(node.get(instances)).path("items").findValues("id"))
                .isNotEmpty());
    HttpResponse<String> noKey = node.post(SOURCES + "/inbox/messages", "{\"order\":2}");
    assertThat(noKey.statusCode()).isEqualTo(202);
    assertThat(TestNode.json(noKey).path("id").asText()).hasSizeGreaterThan(20);
  }

  @Test
  void anImpossibleActionIsRefusedWithItsKind() {
    assertThat(node.get(SOURCES + "/ibox").statusCode()).isEqualTo(404);
    assertThat(TestNode.json(node.get(SOURCES + "/ibox")).path("detail").asText())
        .contains("\"ibox\"", "inbox");
    assertThat(change("ibox", "pause", 404).path("code").asText()).isEqualTo("NOT_FOUND");
    assertThat(change("inbox", "pause", 409).path("code").asText()).isEqualTo("ILLEGAL_STATE");
    HttpResponse<String> wrongKind = send("files", "1", "{}");
    assertThat(wrongKind.statusCode()).isEqualTo(409);
    assertThat(TestNode.json(wrongKind).path("detail").asText()).contains("of kind directory");
    HttpResponse<String> noOrder = send("inbox", "2", "{\"oder\":1}");
    assertThat(noOrder.statusCode()).isEqualTo(422);
    assertThat(TestNode.json(noOrder).path("detail").asText()).contains("/body/order");
    assertThat(send("inbox", "with space", "{}").statusCode()).isEqualTo(400);
  }

  @Test
  void aRequestIsNotAcceptedBeforeItsWorkflowIsThere() {
    HttpResponse<String> early = send("early", "1", "{}");
    assertThat(early.statusCode()).as(early.body()).isEqualTo(409);
    assertThat(TestNode.json(early).path("code").asText()).isEqualTo("ILLEGAL_STATE");
    assertThat(TestNode.json(early).path("detail").asText())
        .isEqualTo("there is no workflow not-yet: put its definition");
    assertThat(source("early").at("/totals/completed").asLong()).isZero();
    put("not-yet");
    assertThat(send("early", "1", "{}").statusCode()).isEqualTo(202);
    Eventually.assertThat(
        () ->
            assertThat(
                    TestNode.json(node.get("/api/v1/workflows?definition=not-yet")).path("items"))
                .hasSize(1));
  }

  @Test
  void metricsNameTheSourcesOfThisNode() {
    awaitStatus("files", "POLLING");
    PrometheusText metrics = PrometheusText.read(node.get("/metrics").body());
    String labels = "{source=\"%s\",kind=\"%s\"%s}";
    String polls = labels.formatted("files", "directory", ",status=\"POLLING\"");
    assertThat(metrics.samples).containsKey("callboard_source_status" + polls);
    assertThat(
            metrics.value(
                "callboard_source_status"
                    + labels.formatted("inbox", "http", ",status=\"ACCEPTING\"")))
        .isEqualTo(1);
    for (String what : List.of("taken", "completed", "failed", "dead", "released", "lost")) {
      String name = "callboard_source_%s_total".formatted(what);
      assertThat(metrics.samples).containsKey(name + labels.formatted("files", "directory", ""));
    }
    assertThat(
            metrics.value(
                "callboard_source_in_flight" + labels.formatted("files", "directory", "")))
        .isZero();
  }

  @Test
  void theTopicFollowsTheSources() throws InterruptedException {
    BlockingQueue<JsonNode> frames = new LinkedBlockingQueue<>();
    WebSocket socket = node.connect(frames);
    JsonNode welcome = Waits.next(frames);
    assertThat(welcome.path("sources").asBoolean()).isTrue();
    await(socket.writeTextMessage("{\"t\":\"sub\",\"id\":1,\"topic\":\"sources\"}"));
    JsonNode snap = Waits.next(frames);
    assertThat(snap.path("t").asText()).isEqualTo("snap");
    assertThat(snap.path("rows").findValuesAsText("name"))
        .containsExactly("early", "files", "inbox");
    assertThat(send("inbox", "live", "{\"order\":3}").statusCode()).isEqualTo(202);
    Waits.next(frames, told -> told.at("/up/inbox/totals/completed").asLong() > 0);
    await(socket.close());
  }
}
