package io.callboard.dashboard;

import static io.callboard.dashboard.TestNode.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.Partition;
import io.callboard.dashboard.internal.auth.TestUsers;
import io.callboard.dashboard.internal.contract.Role;
import io.callboard.store.Store;
import io.callboard.store.StoreException;
import io.callboard.store.memory.MemoryStore;
import io.callboard.testkit.Intercepted;
import io.callboard.testkit.Intercepted.Call;
import io.vertx.core.Future;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a node says of its readiness to whom. */
@Tag("real")
class ReadinessTest {
  private static final String WHY = "znode /callboard/main/h of 10.1.2.3:2181 cannot be read";

  @TempDir Path data;
  private final MemoryStore store = new MemoryStore();
  private volatile boolean away;
  private volatile Map<Partition, String> damaged = Map.of();
  @AutoClose private TestNode node;

  private Object inFront(Call call) throws Throwable {
    if (call.is("unreadableLeases")) {
      return damaged;
    } else if (away && call.is("members")) {
      return Future.failedFuture(StoreException.unavailable(WHY, null));
    }
    return call.proceed();
  }

  private void start(DashboardOptions options) {
    node = new TestNode(data, options, Intercepted.of(Store.class, store, this::inFront));
  }

  @AfterEach
  void stop() {
    away = false;
  }

  @Test
  void withoutALoginNobodyGetsTheDetailsOfTheStore() {
    Path users = TestUsers.write(data.resolve("users"), TestUsers.text());
    start(TestNode.options().auth(AuthOptions.users(users)));
    damaged = Map.of(new Partition("shop", 7), WHY);
    JsonNode degraded = json(node.get("/readyz"));
    assertThat(degraded.toString()).doesNotContain("znode").doesNotContain("10.1.2.3");
    assertThat(degraded.path("status").asText()).isEqualTo("ready");
    assertThat(degraded.path("unreadableLeases").asInt()).isEqualTo(1);
    assertThat(degraded.at("/degraded/0/partition").asText()).isEqualTo("shop~7");
    assertThat(degraded.at("/degraded/0/detail").asText()).contains("a login shows it");
    assertThat(asViewer().body()).contains(WHY);

    away = true;
    HttpResponse<String> nobody = node.get("/readyz");
    assertThat(nobody.statusCode()).isEqualTo(503);
    assertThat(nobody.body()).doesNotContain("znode").doesNotContain("10.1.2.3");
    assertThat(json(nobody).path("detail").asText()).contains("a login shows it");
    HttpResponse<String> viewer = asViewer();
    assertThat(viewer.statusCode()).isEqualTo(503);
    assertThat(json(viewer).path("detail").asText()).isEqualTo("the cell cannot be read: " + WHY);
  }

  private HttpResponse<String> asViewer() {
    return node.send(node.request("/readyz").header("Authorization", TestUsers.basic(Role.VIEWER)));
  }

  @Test
  void whereNoLoginIsAskedForEverybodyGetsThem() {
    start(TestNode.options());
    away = true;
    HttpResponse<String> answer = node.get("/readyz");
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(json(answer).path("detail").asText()).isEqualTo("the cell cannot be read: " + WHY);
  }
}
