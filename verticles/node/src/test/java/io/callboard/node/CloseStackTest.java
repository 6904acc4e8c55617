package io.callboard.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.testkit.Eventually;
import io.callboard.testkit.LogCapture;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

class CloseStackTest {
  private final CloseStack parts = new CloseStack();

  @Test
  void aPartThatNeverEndsKeepsNothingElseOpen() {
    List<String> ended = new ArrayList<>();
    parts.push("first", limit -> ended.add("first"));
    parts.push("stuck", () -> Promise.promise().future());
    parts.push(
        "last",
        () -> {
          ended.add("last");
          return Future.succeededFuture();
        });
    try (LogCapture log = LogCapture.of(CloseStack.class)) {
      parts.close(Duration.ofSeconds(1), () -> false);
      log.expect(Level.WARN, "stuck did not close cleanly within 1000 ms");
    }
    assertThat(ended).containsExactly("last", "first");
  }

  @Test
  void partsOfALostStoreHaveASecondEach() {
    List<Duration> limits = new ArrayList<>();
    parts.push("actors", limits::add);
    parts.close(Duration.ofMinutes(1), () -> true);
    assertThat(limits).containsExactly(Duration.ofSeconds(1));
  }

  @Test
  void aPartOfTheApplicationThatBlocksKeepsNothingElseOpenAndIsInterrupted() {
    List<String> ended = new CopyOnWriteArrayList<>();
    parts.push("first", limit -> ended.add("first"));
    parts.pushOfApplication(
        "pool",
        () -> {
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            ended.add("interrupted");
          }
          return Future.succeededFuture();
        });
    try (LogCapture log = LogCapture.of(CloseStack.class)) {
      parts.close(Duration.ofSeconds(1), () -> false);
      log.expect(Level.WARN, "pool did not close cleanly within 1000 ms");
    }
    assertThat(ended).contains("first");
    Eventually.assertThat(() -> assertThat(ended).contains("interrupted"));
  }

  @Test
  void anErrorOfAPartKeepsNothingElseOpen() {
    List<String> ended = new ArrayList<>();
    parts.push("first", limit -> ended.add("first"));
    parts.push(
        "damaged",
        limit -> {
          throw new NoClassDefFoundError("io/callboard/Gone");
        });
    try (LogCapture log = LogCapture.of(CloseStack.class)) {
      parts.close(Duration.ofSeconds(1), () -> false);
      log.expect(Level.WARN, "damaged did not close cleanly");
    }
    assertThat(ended).containsExactly("first");
  }

  @Test
  void anInterruptCutsNoCloseShortAndIsKept() {
    List<String> ended = new ArrayList<>();
    parts.push("first", limit -> ended.add(Thread.currentThread().isInterrupted() + ""));
    Promise<Void> slow = Promise.promise();
    parts.push("slow", () -> slow.future().onSuccess(done -> ended.add("slow")));
    parts.push(
        "interrupting",
        limit -> {
          Thread.currentThread().interrupt();
          CompletableFuture.delayedExecutor(200, TimeUnit.MILLISECONDS).execute(slow::complete);
        });
    try (LogCapture log = LogCapture.of(CloseStack.class)) {
      parts.close(Duration.ofSeconds(20), () -> false);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(log.lines()).noneMatch(line -> line.level() == Level.WARN);
    }
    assertThat(ended).containsExactly("slow", "false");
  }
}
