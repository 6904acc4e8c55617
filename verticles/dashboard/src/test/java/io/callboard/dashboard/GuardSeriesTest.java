package io.callboard.dashboard;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.SampleActors.hearing;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.guard.Guard;
import io.callboard.guard.GuardOptions;
import io.callboard.supervision.Backoff;
import io.callboard.testkit.Eventually;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The circuit of a guard in the metrics. */
@Tag("real")
class GuardSeriesTest {
  @AutoClose private final TestNode node = TestNode.start();

  record Do(int number) {}

  private static void choke(Do job) {
    if (job.number() > 1) {
      throw new IllegalStateException("too much");
    }
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
                "/risky",
                Guard.of(hearing(Do.class, GuardSeriesTest::choke), options),
                new ActorOptions().onBus(false)));
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
