package io.callboard.dashboard;

import static io.callboard.dashboard.TestNode.json;
import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.ActorOptions;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Parked messages and mailboxes over REST. */
@Tag("real")
class ParkedMessagesTest {
  @TempDir Path data;
  private TestNode node;

  record Put(String what) {}

  record Kept(String what) {}

  static final class Shelf extends DurableStateActor<Put, Kept> {
    @Override
    protected Kept initial() {
      return new Kept("nothing");
    }

    @Override
    protected void protocol(Protocol<Put> on) {
      on.message(
          Put.class,
          put -> {
            if (put.what().startsWith("bad")) {
              throw new IllegalArgumentException("no " + put.what());
            }
            update(new Kept(put.what()));
          });
    }
  }

  @BeforeEach
  void start() {
    node = new TestNode(data, TestNode.options());
    await(node.callboard.spawn("/shop/shelf", Shelf::new, new ActorOptions().attempts(1)));
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private void park(String what, int expected) {
    await(node.callboard.durableRef("/shop/shelf", Put.class).tell(new Put(what)));
    awaitParked(expected);
  }

  private JsonNode awaitParked(int expected) {
    Instant until = Instant.now().plus(Duration.ofSeconds(20));
    JsonNode items = json(node.get("/api/v1/deadletters")).path("items");
    while (items.size() != expected) {
      assertThat(Instant.now()).as(items.toString()).isBefore(until);
      items = json(node.get("/api/v1/deadletters")).path("items");
    }
    return items;
  }

  private static void assertProblem(HttpResponse<String> response, int status) {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
  }

  @Test
  void aParkedMessageIsShownEditedAndReplayed() {
    park("bad apples", 1);
    JsonNode listed = awaitParked(1).get(0);
    assertThat(listed.path("actor").asText()).isEqualTo("/shop/shelf");
    String path = "/api/v1/deadletters/" + listed.path("id").asText();
    HttpResponse<String> one = node.get(path);
    assertThat(json(one)).isEqualTo(listed);
    assertThat(json(one).path("type").asText()).isEqualTo("put");
    assertThat(json(one).has("body")).as("payloads are not shown").isFalse();
    HttpResponse<String> replayed =
        node.post(path + "/replay", "{\"body\":{\"what\":\"good apples\"}}");
    assertThat(replayed.statusCode()).as(replayed.body()).isEqualTo(202);
    assertThat(json(replayed).path("original")).as("without its body").isEqualTo(listed);
    awaitParked(0);
    assertProblem(node.get(path), 404);
    assertProblem(node.post(path + "/replay"), 404);
    assertProblem(node.post(path + "/discard"), 404);
    assertProblem(node.post("/api/v1/deadletters/nothing/replay"), 404);
  }

  @Test
  void aLargeParkedMessageIsShownByItsSize() {
    park("bad " + "x".repeat(100_000), 1);
    JsonNode listed = awaitParked(1).get(0);
    assertThat(listed.path("blob").asBoolean()).isTrue();
    assertThat(listed.path("size").asInt()).isGreaterThan(100_000);
    assertThat(listed.path("cause").asText()).contains(" characters) ");
    assertThat(listed.toString())
        .as("neither the body nor all of the cause")
        .hasSizeLessThan(5_000);
    assertThat(
            node.post("/api/v1/deadletters/" + listed.path("id").asText() + "/discard")
                .statusCode())
        .isEqualTo(200);
    PrometheusText told = PrometheusText.read(node.get("/metrics").body());
    assertThat(told.value("callboard_blobs_total{what=\"written\"}")).isEqualTo(1);
    assertThat(told.value("callboard_blobs_total{what=\"deleted\"}")).isEqualTo(1);
    assertThat(told.value("callboard_blob_bytes_total{what=\"deleted\"}"))
        .isEqualTo(listed.path("size").asInt());
  }

  @Test
  void aParkedMessageIsReplayedAsItIsOrDiscarded() {
    park("bad pears", 1);
    String first = awaitParked(1).get(0).path("id").asText();
    assertThat(node.post("/api/v1/deadletters/" + first + "/replay").statusCode()).isEqualTo(202);
    Instant until = Instant.now().plus(Duration.ofSeconds(20));
    String second = first;
    while (second.equals(first)) {
      assertThat(Instant.now()).as("it fails again").isBefore(until);
      second = json(node.get("/api/v1/deadletters")).at("/items/0/id").asText(first);
    }
    HttpResponse<String> gone = node.post("/api/v1/deadletters/" + second + "/discard");
    assertThat(gone.statusCode()).isEqualTo(200);
    awaitParked(0);
  }

  @Test
  void manyMessagesAreReplayedAtARate() {
    park("bad plums", 1);
    park("bad cherries", 2);
    HttpResponse<String> replayed =
        node.post(
            "/api/v1/deadletters/replay",
            "{\"filter\":{\"actor\":\"/shop\",\"cause\":\"plums\"},\"ratePerSecond\":5}");
    assertThat(replayed.statusCode()).as(replayed.body()).isEqualTo(202);
    assertThat(json(replayed).path("matched").asInt()).isEqualTo(1);
    assertProblem(node.post("/api/v1/deadletters/replay", "{\"ratePerSecond\":0}"), 422);
    assertProblem(
        node.post("/api/v1/deadletters/replay", "{\"ratePerSecond\":1,\"filter\":{\"a\":1}}"), 422);
  }

  @Test
  void aSecondReplayOfManyIsRefusedWhileOneRuns() {
    park("bad plums", 1);
    park("bad cherries", 2);
    String slow = "{\"ratePerSecond\":0.01}";
    assertThat(json(node.post("/api/v1/deadletters/replay", slow)).path("matched").asInt())
        .isEqualTo(2);
    assertProblem(node.post("/api/v1/deadletters/replay", slow), 409);
  }

  @Test
  void theMessagesOfAMailboxAreListed() {
    await(node.callboard.stop("/shop/shelf"));
    await(node.callboard.durableRef("/shop/shelf", Put.class).tell(new Put("figs")));
    JsonNode mailbox = json(node.get("/api/v1/mailboxes/shop/shelf/messages?limit=5"));
    assertThat(mailbox.path("why").asText()).isEqualTo("no node of the cell hosts /shop/shelf");
    JsonNode items = mailbox.path("items");
    assertThat(items).hasSize(1);
    assertThat(items.at("/0/type").asText()).isEqualTo("put");
    assertThat(items.at("/0/from").asText()).startsWith("edge:node-a:");
    assertThat(items.at("/0").has("body")).isFalse();
    assertProblem(node.get("/api/v1/mailboxes/shop/nobody/messages"), 404);
    assertProblem(node.get("/api/v1/mailboxes/shop/shelf/messages?limit=0"), 400);
  }

  @Test
  void anEditedBodyThatDoesNotFitIsRefusedWithItsPlace() {
    park("bad apples", 1);
    String path = "/api/v1/deadletters/" + awaitParked(1).get(0).path("id").asText();
    HttpResponse<String> refused = node.post(path + "/replay", "{\"body\":{\"what\":[1]}}");
    assertProblem(refused, 422);
    assertThat(json(refused).path("code").asText()).isEqualTo("INVALID");
    assertThat(json(refused).at("/errors/0/pointer").asText()).isEqualTo("/body/what");
    assertThat(json(refused).at("/errors/0/detail").asText())
        .contains("message \"put\" of Put cannot be read");
    assertThat(awaitParked(1).get(0).path("id").asText()).isEqualTo(path.replaceFirst(".*/", ""));

    await(node.callboard.stop("/shop/shelf"));
    HttpResponse<String> accepted = node.post(path + "/replay", "{\"body\":{\"what\":[1]}}");
    assertThat(accepted.statusCode()).as("nobody knows the actor here").isEqualTo(202);
    awaitParked(0);
  }

  @Test
  void theTextsCallThemParked() throws Exception {
    String contract = node.get("/api/v1/openapi.json").body();
    Page files = Page.read();
    String page =
        node.get("/" + files.path("js/mailboxes.js")).body()
            + node.get("/" + files.path("js/parked.js")).body();
    for (String text : List.of(contract, page)) {
      assertThat(text).containsIgnoringCase("parked message");
      assertThat(text).doesNotContainIgnoringCase("dead letter").doesNotContain("put aside");
    }
    assertThat(json(node.get("/api/v1/deadletters/shop:none~1")).path("detail").asText())
        .contains("parked message");
  }

  @Test
  void payloadsAreShownWherePermitted() {
    node.close();
    node = new TestNode(data, TestNode.options().payloads(true));
    await(node.callboard.durableRef("/shop/shelf", Put.class).tell(new Put("figs")));
    assertThat(
            json(node.get("/api/v1/mailboxes/shop/shelf/messages"))
                .at("/items/0/body/what")
                .asText())
        .isEqualTo("figs");
  }

  @Test
  void theAnswerToAnEditShowsDroppedFieldsWherePermitted() {
    node.close();
    node = new TestNode(data, TestNode.options().payloads(true));
    await(node.callboard.spawn("/shop/shelf", Shelf::new, new ActorOptions().attempts(1)));
    park("bad apples", 1);
    String path = "/api/v1/deadletters/" + awaitParked(1).get(0).path("id").asText();
    JsonNode before = json(node.get(path));
    assertThat(before.at("/body/what").asText()).isEqualTo("bad apples");
    HttpResponse<String> replayed = node.post(path + "/replay", "{\"body\":{\"what\":\"figs\"}}");
    assertThat(replayed.statusCode()).as(replayed.body()).isEqualTo(202);
    assertThat(json(replayed).path("original")).isEqualTo(before);
    awaitParked(0);
  }
}
