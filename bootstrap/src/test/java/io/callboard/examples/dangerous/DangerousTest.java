package io.callboard.examples.dangerous;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Callboard;
import io.callboard.testkit.CallboardExtension;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The example, played quickly, against its real HTTP service. */
@ExtendWith(CallboardExtension.class)
@Tag("long")
class DangerousTest {
  private static final Plan QUICK =
      new Plan(200, Plan.seconds(2, 3, 2, 3, 2), Duration.ofMillis(500), Plan.backoff(100, 1_000));

  private final Queue<String> lines = new ConcurrentLinkedQueue<>();

  @Test
  void theServiceIsLeftAloneWhileItIsInTroubleAndNothingIsLost(Callboard callboard) {
    Dangerous example = new Dangerous(QUICK, lines::add);
    String id = await(callboard.vertx().deployVerticle(example));
    Verdict verdict = await(Duration.ofMinutes(2), example.verdict());
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
    await(callboard.vertx().undeploy(id));
    assertThat(await(callboard.admin().running())).as("nothing is left").isEmpty();
  }
}
