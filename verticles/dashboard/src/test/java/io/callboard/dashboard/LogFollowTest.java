package io.callboard.dashboard;

import static io.callboard.dashboard.TestNode.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.store.Store;
import io.callboard.store.StoreException;
import io.callboard.store.memory.MemoryStore;
import io.callboard.testkit.Eventually;
import io.vertx.core.Future;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log is followed although it cannot be read at first. */
@Tag("real")
class LogFollowTest {
  @TempDir Path data;
  private final MemoryStore store = new MemoryStore();
  private final AtomicInteger failures = new AtomicInteger();
  private TestNode node;

  private Object inFront(Object proxy, Method method, Object[] arguments) throws Throwable {
    if (method.getName().equals("actor") && failures.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
      return Future.failedFuture(StoreException.unavailable("the store is away", null));
    }
    try {
      return method.invoke(store, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  @BeforeEach
  void start() {
    Store front =
        (Store)
            Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, this::inFront);
    node = new TestNode(data, TestNode.options(), front);
  }

  @AfterEach
  void stop() {
    node.close();
  }

  @Test
  void aTemporaryFailureIsReportedAndWaitedOutFromTheFirstReadOn() {
    HttpResponse<String> submitted =
        node.post("/api/v1/jobs", "{\"command\":[\"sh\",\"-c\",\"echo curtain up\"]}");
    String id = json(submitted).path("id").asText();
    Eventually.assertThat( // or the log of no run is read first, which is another one
        () ->
            assertThat(json(node.get("/api/v1/jobs/" + id + "/runs")).toString())
                .contains("runId"));
    failures.set(3);
    HttpResponse<String> events = node.get("/api/v1/jobs/" + id + "/log?follow=true");
    assertThat(events.statusCode()).isEqualTo(200);
    assertThat(events.body())
        .startsWith("event: waiting\ndata: {")
        .containsOnlyOnce("event: reset\n")
        .contains("the store is away", "curtain up\\n")
        .endsWith("\n\n");
    assertThat(events.body().split("event: waiting", -1)).hasSize(4);
    assertThat(events.body()).contains("event: end\n");
  }
}
