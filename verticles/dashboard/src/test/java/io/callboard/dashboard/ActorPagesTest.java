package io.callboard.dashboard;

import static io.callboard.dashboard.TestNode.json;
import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.ActorOptions;
import io.callboard.codecs.ActorPath;
import io.callboard.store.Store;
import io.callboard.store.memory.MemoryStore;
import io.callboard.testkit.Intercepted;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A list of actors holds as many records as it shows, however many are stored. */
@Tag("real")
class ActorPagesTest {
  private static final int STORED = 60;

  private final MemoryStore store = new MemoryStore();

  /** Number of records of /shop that each call asked for. */
  private final List<Integer> asked = new CopyOnWriteArrayList<>();

  @AutoClose
  private final TestNode node =
      TestNode.start(
          TestNode.options(),
          Intercepted.of(
              Store.class,
              store,
              call -> {
                if (call.is("actors") && ActorPath.of("/shop").equals(call.arguments().get(0))) {
                  boolean all = call.arguments().size() == 1;
                  asked.add(all ? Integer.MAX_VALUE : (Integer) call.arguments().get(1));
                }
                return call.proceed();
              }));

  @BeforeEach
  void start() {
    for (int i = 0; i < STORED; i++) {
      await(store.createMailbox(ActorPath.of("/shop/a%02d".formatted(i))));
    }
    await(node.callboard.spawn("/shop/last", ParkedMessagesTest.SHELF, new ActorOptions()));
  }

  private JsonNode list(String query) {
    return json(node.get("/api/v1/actors?prefix=/shop" + query));
  }

  private static List<String> paths(JsonNode list) {
    return StreamSupport.stream(list.path("items").spliterator(), false)
        .map(item -> item.path("path").asText())
        .toList();
  }

  @Test
  void aPageHoldsTheFirstAndReadsFewMore() {
    JsonNode first = list("&limit=3");
    assertThat(paths(first)).containsExactly("/shop/a00", "/shop/a01", "/shop/a02");
    assertThat(first.path("truncated").asBoolean()).isTrue();
    assertThat(first.at("/items/2/stored/turn").isNumber()).isTrue();
    assertThat(asked).allSatisfy(limit -> assertThat(limit).isLessThan(10));
    JsonNode passive = list("&limit=3&state=PASSIVATED");
    assertThat(paths(passive)).isEqualTo(paths(first));
    JsonNode all = list("&limit=100");
    assertThat(paths(all)).hasSize(STORED + 1).isSorted();
    assertThat(all.path("truncated").asBoolean()).isFalse();
  }

  @Test
  void aRunningActorIsFoundBehindAllOthersWithItsRecord() {
    JsonNode running = list("&limit=3&state=RUNNING");
    assertThat(paths(running)).containsExactly("/shop/last");
    assertThat(running.at("/items/0/stored/turn").isNumber()).isTrue();
    assertThat(running.path("truncated").asBoolean()).isFalse();
  }
}
