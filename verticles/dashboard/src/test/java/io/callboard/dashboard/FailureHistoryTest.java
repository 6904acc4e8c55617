package io.callboard.dashboard;

import static io.callboard.dashboard.TestNode.json;
import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.SampleActors.failing;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.ActorOptions;
import io.callboard.codecs.Json;
import io.callboard.store.Store;
import io.callboard.store.StoreException;
import io.callboard.store.memory.MemoryStore;
import io.callboard.supervision.Failure;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.Intercepted;
import io.callboard.testkit.SampleActors;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Test of the failures of an actor as shown by the dashboard. */
@Tag("real")
class FailureHistoryTest {
  record Slip(String secret) {}

  @AutoClose
  private final TestNode node =
      TestNode.start(
          TestNode.options(),
          Intercepted.of(
              Store.class,
              new MemoryStore(),
              call ->
                  call.is("failures") && call.arguments().get(0).toString().equals("/shop/shelf")
                      ? Future.failedFuture(StoreException.corrupt("znode /f is damaged"))
                      : call.proceed()));

  @Test
  void theViewOfOneActorTellsHowItFailed() {
    await(
        node.callboard.spawn(
            "/shop/clumsy", failing(Slip.class, "it slipped"), new ActorOptions()));
    assertThat(json(node.get("/api/v1/actors/shop/clumsy")).path("history")).isEmpty();
    await(node.callboard.ref("/shop/clumsy", Slip.class).tell(new Slip("of the payload")));
    Eventually.assertThat(
        () -> {
          JsonNode actor = json(node.get("/api/v1/actors/shop/clumsy"));
          assertThat(actor.path("history")).hasSize(1);
          assertThat(actor.at("/history/0/decision").asText()).isEqualTo("RESTART");
        });
    JsonNode actor = json(node.get("/api/v1/actors/shop/clumsy"));
    JsonNode failure = actor.at("/history/0");
    assertThat(failure.path("kind").asText()).isEqualTo("THROWN");
    assertThat(failure.path("cause").asText())
        .isEqualTo("java.lang.IllegalStateException: it slipped");
    assertThat(failure.path("stack").asText()).contains("at " + SampleActors.class.getName());
    assertThat(failure.path("node").asText()).isEqualTo("node-a");
    assertThat(failure.path("times").asInt()).isEqualTo(1);
    assertThat(Instant.parse(failure.path("at").asText())).isBeforeOrEqualTo(Instant.now());
    assertThat(Duration.parse(failure.path("delay").asText())).isPositive();
    assertThat(failure.toString()).as("nothing of the message").doesNotContain("payload");
    Failure read = Json.convert("the failure", failure, Failure.class);
    assertThat(read).isEqualTo(await(node.callboard.admin().failures("/shop/clumsy")).get(0));
    JsonNode row = json(node.get("/api/v1/actors?prefix=/shop")).at("/items/0");
    assertThat(row.has("history")).as("in the list").isFalse();
  }

  @Test
  void aHistoryThatCannotBeReadHidesNothingElse() {
    await(node.callboard.spawn("/shop/shelf", ParkedMessagesTest.SHELF, new ActorOptions()));
    JsonNode actor = json(node.get("/api/v1/actors/shop/shelf"));
    assertThat(actor.path("state").asText()).isEqualTo("RUNNING");
    assertThat(actor.path("historyUnreadable").asText()).isEqualTo("znode /f is damaged");
    assertThat(actor.has("history")).isFalse();
  }
}
