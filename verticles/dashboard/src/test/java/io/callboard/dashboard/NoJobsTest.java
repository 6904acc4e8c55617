package io.callboard.dashboard;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.ActorOptions;
import io.callboard.codecs.Json;
import io.callboard.testkit.Waits;
import io.vertx.core.http.WebSocketConnectOptions;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The dashboard of a node that has no job scheduler, as an application embeds it. */
@Tag("real")
class NoJobsTest {
  private final TestNode node = TestNode.withoutJobs(TestNode.options());

  @AfterEach
  void close() {
    node.close();
  }

  @Test
  void pathsOfJobsAreNotFoundAndSayWhy() {
    List<HttpResponse<String>> answers =
        List.of(
            node.get("/api/v1/jobs"),
            node.get("/api/v1/jobs/1/log"),
            node.post("/api/v1/jobs", "{\"command\":[\"true\"]}"),
            node.post("/api/v1/jobs/1/cancel"),
            node.get("/api/v1/types"),
            node.post("/api/v1/types/process/pause"),
            node.get("/api/v1/hosts"));
    assertThat(answers)
        .allSatisfy(
            answer -> {
              assertThat(answer.statusCode()).isEqualTo(404);
              assertThat(TestNode.json(answer).path("detail").asText())
                  .startsWith("this node has no job scheduler");
            });
  }

  @Test
  void sourcesAreNotFoundAndTheAnswerSaysWhy() {
    List<HttpResponse<String>> answers =
        List.of(
            node.get("/api/v1/sources"),
            node.get("/api/v1/sources/in"),
            node.post("/api/v1/sources/in/pause"),
            node.post("/api/v1/sources/in/messages", "{}"));
    assertThat(answers)
        .allSatisfy(
            answer -> {
              assertThat(answer.statusCode()).isEqualTo(404);
              assertThat(TestNode.json(answer).path("detail").asText())
                  .startsWith("this node takes no part in sources");
            });
    assertThat(node.get("/metrics").body()).doesNotContain("callboard_source");
  }

  @Test
  void allOtherPathsAnswer() {
    await(node.callboard.spawn("/shop/shelf", ParkedMessagesTest.Shelf::new, new ActorOptions()));
    assertThat(node.get("/api/v1/actors?prefix=/shop").body()).contains("/shop/shelf");
    JsonNode stats = TestNode.json(node.get("/api/v1/stats"));
    assertThat(stats.has("actors")).isTrue();
    assertThat(stats.has("jobs")).isFalse();
    assertThat(stats.has("rate")).isFalse();
    assertThat(node.get("/readyz").body()).contains("\"status\":\"ready\"");
    assertThat(node.get("/metrics").body())
        .contains("callboard_messages_handled_total")
        .doesNotContain("callboard_jobs");
    assertThat(node.get("/api/v1/roles").statusCode()).isEqualTo(200);
  }

  @Test
  void thePageIsToldToLeaveJobsOut() throws InterruptedException {
    BlockingQueue<JsonNode> frames = new LinkedBlockingQueue<>();
    var socket =
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
    JsonNode welcome = Waits.next(frames);
    assertThat(welcome.path("t").asText()).isEqualTo("welcome");
    assertThat(welcome.path("jobs").asBoolean(true)).isFalse();
    await(socket.writeTextMessage("{\"t\":\"sub\",\"id\":1,\"topic\":\"jobs\"}"));
    JsonNode refused = Waits.next(frames);
    assertThat(refused.path("code").asText()).isEqualTo("UNKNOWN_TOPIC");
    assertThat(refused.path("detail").asText()).startsWith("this node has no job scheduler");
    await(socket.close());
  }
}
