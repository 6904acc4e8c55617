package io.callboard.dashboard;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Protocol;
import io.callboard.guard.Guard;
import io.callboard.guard.GuardOptions;
import io.callboard.supervision.Backoff;
import io.callboard.testkit.Eventually;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The circuit of a guard in the metrics. */
@Tag("real")
class GuardSeriesTest {
  @TempDir Path data;
  private TestNode node;

  record Do(int number) {}

  static final class Choking extends Actor<Do> {
    @Override
    protected void protocol(Protocol<Do> on) {
      on.message(
          Do.class,
          job -> {
            if (job.number() > 1) {
              throw new IllegalStateException("too much");
            }
          });
    }
  }

  @BeforeEach
  void start() {
    node = new TestNode(data, TestNode.options());
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private PrometheusText metrics() {
    return PrometheusText.read(node.get("/metrics").body());
  }

  private static String of(String what) {
    return "callboard_guard_%s{actor=\"/risky\"}".formatted(what);
  }

  private static String state(String state) {
    return "callboard_guard_state{actor=\"/risky\",state=\"%s\"}".formatted(state);
  }

  @Test
  void aGuardHasSeriesAsLongAsItRuns() {
    Duration far = Duration.ofHours(1);
    GuardOptions<Do> options =
        new GuardOptions<Do>().backoff(Backoff.exponential(far, far, Backoff.Jitter.NONE));
    assertThat(metrics().value("callboard_guards")).isZero();
    ActorRef<Do> guard =
        await(
            node.callboard.spawn(
                "/risky", Guard.of(Choking::new, options), new ActorOptions().onBus(false)));
    assertThat(metrics().value(state("CLOSED"))).isEqualTo(1);
    for (int i = 1; i <= 4; i++) {
      await(guard.tell(new Do(i)));
    }
    Eventually.assertThat(
        () -> {
          PrometheusText told = metrics();
          assertThat(told.value(state("OPEN"))).isEqualTo(1);
          assertThat(told.value(state("CLOSED"))).isZero();
          assertThat(told.value(of("held"))).isEqualTo(3);
          assertThat(told.value(of("under_way"))).isZero();
          assertThat(told.value(of("failures"))).isEqualTo(1);
          assertThat(told.value(of("acknowledged_total"))).isEqualTo(1);
          assertThat(told.value(of("open_seconds"))).isPositive();
          assertThat(told.samples)
              .containsKeys(
                  of("redelivered_total"),
                  of("fallback_total"),
                  of("given_up_total"),
                  of("lapsed_total"));
        });
    await(node.callboard.stop("/risky"));
    assertThat(metrics().value("callboard_guards")).isZero();
    assertThat(metrics().samples.keySet()).noneMatch(name -> name.contains("/risky"));
  }
}
