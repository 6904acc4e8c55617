package io.callboard.dashboard;

import static io.callboard.dashboard.TestNode.json;
import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.ActorOptions;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.store.Store;
import io.callboard.store.StoreException;
import io.callboard.store.StoredActors;
import io.callboard.store.memory.MemoryStore;
import io.callboard.testkit.Intercepted;
import io.callboard.testkit.Intercepted.Call;
import io.vertx.core.Future;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Test of the reports of a node whose store has unreadable records. */
@Tag("real")
class DamageTest {
  private static final ActorPath BROKEN = ActorPath.of("/shop/broken");
  private static final String WHY =
      "znode /callboard/main/a/shop~7/shop:broken cannot be read: Unexpected end-of-input";

  private final MemoryStore store = new MemoryStore();
  private final Map<Partition, String> leases = new ConcurrentHashMap<>();

  @AutoClose
  private final TestNode node =
      TestNode.start(TestNode.options(), Intercepted.of(Store.class, store, this::inFront));

  /**
   * Forwards to the store, with one damaged actor below each prefix, jobs included, and some
   * damaged leases.
   */
  @SuppressWarnings("unchecked")
  private Object inFront(Call call) throws Throwable {
    if (call.is("unreadableLeases")) {
      return Map.copyOf(leases);
    } else if (call.is("actor") && BROKEN.equals(call.arguments().get(0))) {
      return Future.failedFuture(StoreException.corrupt(WHY));
    } else if (!call.is("actors")) {
      return call.proceed();
    }
    ActorPath damaged = ActorPath.of(call.arguments().get(0) + "/broken");
    return ((Future<StoredActors>) call.proceed())
        .map(found -> new StoredActors(found.readable(), Map.of(damaged, WHY)));
  }

  @Test
  void aDamagedRecordIsNamedAndHidesNoOtherActor() {
    await(node.callboard.spawn("/shop/shelf", ParkedMessagesTest.SHELF, new ActorOptions()));
    for (String path : new String[] {"/api/v1/actors%s", "/api/v1/mailboxes%s/messages"}) {
      HttpResponse<String> answer = node.get(path.formatted(BROKEN));
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(409);
      assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
      assertThat(json(answer).path("code").asText()).isEqualTo("CORRUPT");
      assertThat(json(answer).path("detail").asText()).isEqualTo(WHY);
    }
    JsonNode items = json(node.get("/api/v1/actors?prefix=/shop")).path("items");
    assertThat(items).hasSize(2);
    assertThat(items.at("/0/path").asText()).isEqualTo("/shop/broken");
    assertThat(items.at("/0/stored/unreadable").asText()).isEqualTo(WHY);
    assertThat(items.at("/1/path").asText()).isEqualTo("/shop/shelf");
    assertThat(items.at("/1/stored/turn").isNumber()).isTrue();
    assertThat(node.get("/api/v1/actors/shop/shelf").statusCode()).isEqualTo(200);
  }

  @Test
  void aNodeIsReadyAndNamesTheLeasesThatItCannotRead() {
    JsonNode whole = json(node.get("/readyz"));
    assertThat(whole.path("status").asText()).isEqualTo("ready");
    assertThat(whole.has("degraded")).isFalse();
    assertThat(node.get("/metrics").body()).contains("callboard_leases_unreadable 0\n");
    for (int i = 0; i < 30; i++) {
      leases.put(new Partition("shop", i), "znode /o/shop~%d is damaged".formatted(i));
    }
    HttpResponse<String> ready = node.get("/readyz");
    assertThat(ready.statusCode()).isEqualTo(200);
    assertThat(json(ready).path("status").asText()).isEqualTo("ready");
    assertThat(json(ready).path("unreadableLeases").asInt()).isEqualTo(30);
    assertThat(json(ready).path("degraded")).hasSize(20);
    String partition = json(ready).at("/degraded/0/partition").asText();
    assertThat(json(ready).at("/degraded/0/detail").asText())
        .isEqualTo("no node can own it: znode /o/%s is damaged".formatted(partition));
    assertThat(node.get("/metrics").body()).contains("callboard_leases_unreadable 30\n");
  }

  @Test
  void anActorOfAPartitionWithADamagedLeaseFailsAndSaysWhy() {
    for (int i = 0; i < 64; i++) {
      leases.put(new Partition("lost", i), "znode /o/lost is damaged");
    }
    var spawned = node.callboard.spawn("/lost/shelf", ParkedMessagesTest.SHELF, new ActorOptions());
    assertThatThrownBy(() -> await(spawned))
        .hasMessageContainingAll("/lost/shelf could not be started", "znode /o/lost is damaged");
    JsonNode actor = json(node.get("/api/v1/actors/lost/shelf"));
    assertThat(actor.path("lastFailure").asText()).contains("znode /o/lost is damaged");
  }
}
