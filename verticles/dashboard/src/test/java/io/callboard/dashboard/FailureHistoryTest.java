package io.callboard.dashboard;

import static io.callboard.dashboard.TestNode.json;
import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.Protocol;
import io.callboard.codecs.Json;
import io.callboard.store.Store;
import io.callboard.store.StoreException;
import io.callboard.store.memory.MemoryStore;
import io.callboard.supervision.Failure;
import io.callboard.testkit.Eventually;
import io.vertx.core.Future;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Test of the failures of an actor as shown by the dashboard. */
@Tag("real")
class FailureHistoryTest {
  record Slip(String secret) {}

  @TempDir Path data;
  private TestNode node;

  @BeforeEach
  void start() {
    MemoryStore store = new MemoryStore();
    Store damaged =
        (Store)
            Proxy.newProxyInstance(
                Store.class.getClassLoader(),
                new Class<?>[] {Store.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("failures")
                      && arguments[0].toString().equals("/shop/shelf")) {
                    return Future.failedFuture(StoreException.corrupt("znode /f is damaged"));
                  }
                  try {
                    return method.invoke(store, arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
    node = new TestNode(data, TestNode.options(), damaged);
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private static final class Clumsy extends Actor<Slip> {
    @Override
    protected void protocol(Protocol<Slip> on) {
      on.message(
          Slip.class,
          slip -> {
            throw new IllegalStateException("it slipped");
          });
    }
  }

  @Test
  void theViewOfOneActorTellsHowItFailed() {
    await(node.callboard.spawn("/shop/clumsy", Clumsy::new, new ActorOptions()));
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
    assertThat(failure.path("stack").asText()).contains("at " + Clumsy.class.getName());
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
    await(node.callboard.spawn("/shop/shelf", ParkedMessagesTest.Shelf::new, new ActorOptions()));
    JsonNode actor = json(node.get("/api/v1/actors/shop/shelf"));
    assertThat(actor.path("state").asText()).isEqualTo("RUNNING");
    assertThat(actor.path("historyUnreadable").asText()).isEqualTo("znode /f is damaged");
    assertThat(actor.has("history")).isFalse();
  }
}
