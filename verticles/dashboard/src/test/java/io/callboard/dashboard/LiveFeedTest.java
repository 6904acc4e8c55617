package io.callboard.dashboard;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.callboard.ActorOptions;
import io.callboard.codecs.Json;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.RetryPolicy;
import io.callboard.supervision.FailureZone;
import io.callboard.testkit.Waits;
import io.vertx.core.http.UpgradeRejectedException;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketConnectOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The WebSocket of a real node. */
@Tag("real")
class LiveFeedTest {
  @TempDir Path data;
  private TestNode node;
  private WebSocketClient client;
  private final BlockingQueue<JsonNode> frames = new LinkedBlockingQueue<>();
  private final BlockingQueue<Short> closed = new LinkedBlockingQueue<>();

  @BeforeEach
  void start() {
    node = new TestNode(data, TestNode.options());
    client = node.sockets;
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private WebSocketConnectOptions options() {
    return new WebSocketConnectOptions()
        .setHost("127.0.0.1")
        .setPort(node.front.port())
        .setURI("/ws")
        .addSubProtocol("callboard.v1+json");
  }

  @CanIgnoreReturnValue
  private WebSocket connect() {
    return await(
        client
            .connect(options())
            .map(
                socket -> {
                  socket.textMessageHandler(
                      text ->
                          frames.add(Json.parse("a frame", text.getBytes(StandardCharsets.UTF_8))));
                  socket.closeHandler(v -> closed.add(socket.closeStatusCode()));
                  socket.writeTextMessage("{\"t\":\"hello\"}");
                  return socket;
                }));
  }

  @CanIgnoreReturnValue
  private JsonNode next(Predicate<JsonNode> wanted) {
    return Waits.next(frames, wanted); // signs of life never end
  }

  private static Predicate<JsonNode> type(String type) {
    return frame -> frame.path("t").asText().equals(type);
  }

  @Test
  void showsMailboxesAndDeadLettersLive() {
    await(
        node.callboard.spawn(
            "/shop/shelf", ParkedMessagesTest.Shelf::new, new ActorOptions().attempts(1)));
    WebSocket socket = connect();
    next(type("welcome"));
    await(
        socket.writeTextMessage(
            "{\"t\":\"sub\",\"id\":1,\"topic\":\"mailboxes\",\"q\":{\"prefix\":\"/shop\"}}"));
    JsonNode snap = next(type("snap"));
    assertThat(snap.path("rows")).hasSize(1);
    assertThat(snap.at("/rows/0/path").asText()).isEqualTo("/shop/shelf");
    assertThat(snap.at("/rows/0/depth").asInt()).isZero();
    await(socket.writeTextMessage("{\"t\":\"sub\",\"id\":2,\"topic\":\"deadletters\"}"));
    assertThat(next(type("snap")).path("rows")).isEmpty();
    await(
        node.callboard
            .durableRef("/shop/shelf", ParkedMessagesTest.Put.class)
            .tell(new ParkedMessagesTest.Put("bad figs")));
    JsonNode parked = next(frame -> frame.path("id").asInt() == 2 && !frame.at("/up").isEmpty());
    JsonNode row = parked.path("up").elements().next();
    assertThat(row.path("actor").asText()).isEqualTo("/shop/shelf");
    assertThat(row.path("cause").asText()).contains("no bad figs");
    assertThat(row.has("body")).isFalse();
  }

  @Test
  void showsTheSupervisionTreeAndOneOfItLive() {
    await(node.callboard.supervise("/shop", new FailureZone()));
    await(node.callboard.spawn("/shop/shelf", ParkedMessagesTest.Shelf::new, new ActorOptions()));
    WebSocket socket = connect();
    next(type("welcome"));
    subscribe(socket, 1, "{\"tree\":[\"/\"]}");
    JsonNode root = next(type("snap"));
    assertThat(root.at("/rows/0/key").asText()).isEqualTo("zone:/shop");
    assertThat(root.at("/rows/0/inside/byState/RUNNING").asInt()).isEqualTo(1);
    assertThat(root.path("rows").findValuesAsText("key")).doesNotContain("/shop/shelf");
    subscribe(socket, 2, "{\"tree\":[\"/\",\"/shop\"]}");
    JsonNode open = next(type("snap"));
    assertThat(open.path("rows").findValuesAsText("key")).contains("zone:/shop", "/shop/shelf");
    subscribe(socket, 3, "{\"path\":\"/shop\"}");
    assertThat(next(type("snap")).at("/rows/0/history").isArray()).isTrue();
    await(node.callboard.admin().suspend("/shop"));
    JsonNode told = next(frame -> frame.at("/up/~1shop/state").asText().equals("STOPPED"));
    assertThat(told.path("id").asInt()).isEqualTo(3);
    subscribe(socket, 6, "{\"state\":\"STOPPED\"}");
    assertThat(next(frame -> frame.path("id").asInt() == 6).path("rows").findValuesAsText("key"))
        .contains("/shop");
    subscribe(socket, 4, "{\"tree\":\"/shop\"}");
    assertThat(next(type("error")).path("detail").asText())
        .isEqualTo("q.tree must be an array of 1 to 20 paths of failure zones");
    subscribe(socket, 5, "{\"tree\":[\"no path\"]}");
    assertThat(next(type("error")).path("detail").asText()).contains("no path");
  }

  @Test
  void theTreeOfAnotherNodeIsThatNodesOrSaysWhyItIsNotRead() {
    await(node.callboard.supervise("/shop", new FailureZone()));
    await(node.callboard.spawn("/shop/shelf", ParkedMessagesTest.Shelf::new, new ActorOptions()));
    WebSocket socket = connect();
    next(type("welcome"));
    subscribe(socket, 1, "{\"tree\":[\"/shop\"],\"node\":\"node-a\"}");
    assertThat(next(type("snap")).path("rows").findValuesAsText("key"))
        .as("it is this node itself")
        .containsExactly("/shop/shelf");
    subscribe(socket, 2, "{\"tree\":[\"/shop\"],\"node\":\"node-b\"}");
    JsonNode error = next(type("error"));
    assertThat(error.path("id").asInt()).isEqualTo(2);
    assertThat(error.path("detail").asText()).contains("node node-b is no member of the cell");
    subscribe(socket, 3, "{\"tree\":[\"/shop\"],\"node\":7}");
    assertThat(next(frame -> frame.path("id").asInt() == 3).path("detail").asText())
        .contains("q.node must be a string");
  }

  private static void subscribe(WebSocket socket, int id, String query) {
    await(
        socket.writeTextMessage(
            "{\"t\":\"sub\",\"id\":%d,\"topic\":\"actors\",\"q\":%s}".formatted(id, query)));
  }

  @Test
  void showsAJobLive() {
    WebSocket socket = connect();
    JsonNode welcome = next(type("welcome"));
    assertThat(welcome.path("node").asText()).isEqualTo("node-a");
    assertThat(welcome.path("cell").asText()).isEqualTo("main");
    assertThat(welcome.path("tick").asInt()).isEqualTo(50);
    await(
        socket.writeTextMessage(
            "{\"t\":\"sub\",\"id\":1,\"topic\":\"jobs\",\"q\":{\"limit\":10}}"));
    assertThat(next(type("snap")).path("rows")).isEmpty();

    String id =
        await(node.jobs.submit(JobSpec.process("process", List.of("sleep", "0.2")))).job().id();
    assertThat(
            next(frame -> frame.at("/up/" + id + "/state").asText().equals("SUCCEEDED"))
                .path("id")
                .asInt())
        .isEqualTo(1);
    await(socket.writeTextMessage("{\"t\":\"unsub\",\"id\":1}"));
    await(socket.writeTextMessage("{\"t\":\"sub\",\"id\":2,\"topic\":\"job/%s\"}".formatted(id)));
    JsonNode snap = next(type("snap"));
    assertThat(snap.path("id").asInt()).isEqualTo(2);
    assertThat(snap.at("/rows/0/id").asText()).isEqualTo(id);
  }

  @Test
  void showsEveryTopic() {
    WebSocket socket = connect();
    next(type("welcome"));
    List<String> topics =
        List.of("overview", "attention", "actors", "zones", "roles", "hosts", "types", "jobs");
    for (int i = 0; i < topics.size(); i++) {
      await(
          socket.writeTextMessage(
              "{\"t\":\"sub\",\"id\":%d,\"topic\":\"%s\"}".formatted(i, topics.get(i))));
      int id = i;
      assertThat(
              next(type("snap").and(frame -> frame.path("id").asInt() == id))
                  .path("rows")
                  .isArray())
          .isTrue();
    }
    JsonNode delta = next(type("delta").and(frame -> frame.path("id").asInt() == 0));
    assertThat(delta.has("up") && delta.has("del")).isTrue();
  }

  @Test
  void showsGatesWithWhatTheyHoldBack() {
    await(node.jobs.putType(new JobType("etl", JobType.PROCESS, 1, false, RetryPolicy.ONCE)));
    String first =
        await(node.jobs.submit(JobSpec.process("etl", List.of("sleep", "60")))).job().id();
    String second =
        await(node.jobs.submit(JobSpec.process("etl", List.of("sleep", "60")))).job().id();
    WebSocket socket = connect();
    next(type("welcome"));
    await(socket.writeTextMessage("{\"t\":\"sub\",\"id\":1,\"topic\":\"roles\"}"));
    assertThat(next(type("snap")).at("/rows/0/candidates/0").asText()).isEqualTo("node-a");
    await(socket.writeTextMessage("{\"t\":\"sub\",\"id\":2,\"topic\":\"types\"}"));
    assertThat(next(type("snap")).path("rows")).hasSizeGreaterThanOrEqualTo(2);
    await(node.jobs.cancel(second));
    await(node.jobs.cancel(first));
    JsonNode idle = next(frame -> frame.at("/up/etl/byState/CANCELLED").asInt() == 2).at("/up/etl");
    assertThat(idle.path("limit").asInt()).isEqualTo(1);
    assertThat(idle.path("running").asInt()).isZero();
    assertThat(idle.path("queued").asInt()).isZero();
  }

  @Test
  void anUnknownTopicIsRefusedWithAReason() {
    WebSocket socket = connect();
    await(socket.writeTextMessage("{\"t\":\"sub\",\"id\":1,\"topic\":\"mailboxs\"}"));
    JsonNode error = next(type("error"));
    assertThat(error.path("id").asInt()).isEqualTo(1);
    assertThat(error.path("code").asText()).isEqualTo("UNKNOWN_TOPIC");
    assertThat(error.path("detail").asText())
        .contains("overview, attention, actors, mailboxes, deadletters, zones");
    await(
        socket.writeTextMessage(
            "{\"t\":\"sub\",\"id\":1,\"topic\":\"jobs\",\"q\":{\"state\":\"NOPE\"}}"));
    assertThat(next(type("error")).path("detail").asText()).contains("RUNNING");
    await(socket.writeTextMessage("{\"t\":\"sub\",\"id\":1,\"topic\":\"job/nope\"}"));
    assertThat(next(type("error")).path("code").asText()).isEqualTo("NOT_FOUND");
  }

  @Test
  void refusesStrangersAtTheHandshake() {
    assertThatThrownBy(
            () -> await(client.connect(options().addHeader("Origin", "http://evil.example"))))
        .isInstanceOfSatisfying(
            UpgradeRejectedException.class, e -> assertThat(e.getStatus()).isEqualTo(403));
    WebSocketConnectOptions bare =
        new WebSocketConnectOptions().setHost("127.0.0.1").setPort(node.front.port()).setURI("/ws");
    assertThatThrownBy(() -> await(client.connect(bare)))
        .isInstanceOfSatisfying(
            UpgradeRejectedException.class, e -> assertThat(e.getStatus()).isEqualTo(400));
    assertThat(node.get("/ws").statusCode()).isEqualTo(400);
  }

  @Test
  void aFrameThatIsTooLongClosesTheConnection() throws Exception {
    WebSocket socket = connect();
    next(type("welcome"));
    await(socket.writeTextMessage("x".repeat(20_000)));
    assertThat(Waits.next(closed)).isEqualTo((short) 1009);
  }

  @Test
  void sendsClientsAwayWhenItCloses() throws Exception {
    connect();
    next(type("welcome"));
    await(node.front.close());
    assertThat(Waits.next(closed)).isEqualTo((short) 1001);
  }
}
