package io.callboard.examples.dangerous;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import io.callboard.store.memory.MemoryStore;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The example, played quickly, against its real HTTP service. */
class DangerousTest {
  private static final Plan QUICK =
      new Plan(200, Plan.seconds(2, 3, 2, 3, 2), Duration.ofMillis(500), Plan.backoff(100, 1_000));

  private final Vertx vertx = Vertx.vertx();
  private final Queue<String> lines = new ConcurrentLinkedQueue<>();

  @AfterEach
  void stop() throws Exception {
    vertx.close().await(30, TimeUnit.SECONDS);
  }

  @Test
  void theServiceIsLeftAloneWhileItIsInTroubleAndNothingIsLost() throws Exception {
    Callboard callboard =
        Callboard.create(vertx, new CallboardOptions().store(MemoryStore::new))
            .await(30, TimeUnit.SECONDS);
    Dangerous example = new Dangerous(QUICK, lines::add);
    String id = vertx.deployVerticle(example).await(30, TimeUnit.SECONDS);
    Verdict verdict = example.verdict().await(2, TimeUnit.MINUTES);
    String seen = String.join("\n", lines) + "\n" + verdict;

    assertThat(verdict.lost()).as(seen).isZero();
    assertThat(verdict.inOrder()).as(seen).isTrue();
    assertThat(verdict.byFallback()).as(seen).isGreaterThan(verdict.sent() / 20);
    assertThat(verdict.whileNot())
        .as(seen)
        .isPositive()
        .isLessThanOrEqualTo(verdict.whileWell() / 20);
    assertThat(callboard.admin().counts().dead()).as(seen).isZero();
    assertThat(lines).hasSizeGreaterThan(10);
    vertx.undeploy(id).await(30, TimeUnit.SECONDS);
    assertThat(callboard.admin().running().await(10, TimeUnit.SECONDS))
        .as("nothing is left")
        .isEmpty();
  }
}
