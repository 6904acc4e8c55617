package io.callboard.testkit.failure;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.Protocol;
import io.callboard.admin.ActorStatus;
import io.callboard.codecs.ActorPath;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.FailureStreak;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.SupervisionOptions;
import io.callboard.testkit.CallboardExtension;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.ManualTime;
import io.callboard.testkit.SampleActors.Add;
import io.callboard.testkit.SampleActors.Total;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Test that what always fails says since when, until it has run well. */
@ExtendWith(CallboardExtension.class)
class FailureStreakTest {
  private static final ActorPath LATE = ActorPath.of("/late");
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final AtomicBoolean broken = new AtomicBoolean(true);

  /** Actor that starts when it can, and fails with an amount below 0. */
  private final class Late extends Actor<Add> {
    @Override
    protected void protocol(Protocol<Add> on) {
      on.message(
          Add.class,
          add -> {
            if (add.amount() < 0) {
              throw new IllegalArgumentException("too little");
            }
            reply(new Total(add.amount()));
          });
    }

    @Override
    protected Future<?> started() {
      return broken.get() ? Future.failedFuture("not yet") : Future.succeededFuture();
    }
  }

  private static ActorStatus late(Callboard callboard) {
    return callboard.admin().running(LATE).orElseThrow();
  }

  private static FailureStreak streak(Callboard callboard) {
    return Objects.requireNonNull(late(callboard).failing(), "its streak of failures");
  }

  @Test
  void aStartThatAlwaysFailsIsOneStreakUntilTheActorHasRunWell(Callboard callboard, ManualTime time)
      throws Exception {
    assertThatThrownBy(() -> await(callboard.spawn("/late", Late::new, new ActorOptions())))
        .hasMessageContaining("not yet");
    Instant first = time.clock().instant();
    Set<ActorStatus.State> seen = new HashSet<>();
    for (int second = 0; second < 180; second++) {
      time.advance(Duration.ofSeconds(1));
      seen.add(late(callboard).state());
      assertThat(streak(callboard).since()).isEqualTo(first);
    }
    assertThat(seen).as("it is never given up").doesNotContain(ActorStatus.State.FAILED);
    assertThat(streak(callboard).failures()).isGreaterThan(5).isEqualTo(late(callboard).failures());
    assertThat(callboard.admin().failing(9)).extracting(ActorStatus::path).containsExactly(LATE);

    broken.set(false);
    time.advance(Duration.ofSeconds(31)); // the longest backoff
    ActorRef<Add> ref = callboard.ref("/late", Add.class);
    assertThat(await(ref.ask(new Add(1), Total.class))).isEqualTo(new Total(1));
    assertThat(late(callboard).state()).isEqualTo(ActorStatus.State.RUNNING);
    assertThat(callboard.admin().failing(9)).as("it runs, but not for long").hasSize(1);
    time.advance(MINUTE);
    assertThat(late(callboard).failing()).isNull();
    assertThat(callboard.admin().failing(9)).isEmpty();

    Instant next = time.clock().instant();
    await(ref.tell(new Add(-1)));
    Eventually.assertThat(
        () -> assertThat(late(callboard).failing()).isEqualTo(new FailureStreak(next, 1)));
    assertThat(callboard.admin().failing(9)).extracting(ActorStatus::path).containsExactly(LATE);
  }

  @Test
  void anActorThatAnOperatorRestartsHasFailedNoMore(Callboard callboard, ManualTime time)
      throws Exception {
    assertThatThrownBy(() -> await(callboard.spawn("/late", Late::new, new ActorOptions())))
        .hasMessageContaining("not yet");
    time.advance(MINUTE);
    assertThat(callboard.admin().failing(9)).hasSize(1);
    broken.set(false);
    await(callboard.admin().restart("/late"));
    time.advance(Duration.ofSeconds(1));
    assertThat(late(callboard).state()).isEqualTo(ActorStatus.State.RUNNING);
    assertThat(callboard.admin().failing(9)).isEmpty();
  }

  private static Optional<FailureStreak> inner(Callboard callboard) {
    return callboard.admin().failureZones().stream()
        .filter(zone -> zone.path().toString().equals("/shop/inner"))
        .findFirst()
        .flatMap(zone -> Optional.ofNullable(zone.failing()));
  }

  @Test
  void aZoneThatAlwaysEscalatesIsOneStreakUntilItHasRunWell(Callboard callboard) throws Exception {
    SupervisionOptions again =
        new SupervisionOptions()
            .backoff(Backoff.exponential(Duration.ofMillis(5), Duration.ofMillis(20)))
            .resetAfter(Duration.ofMillis(300));
    await(callboard.supervise("/shop", new FailureZone().intensity(1_000, MINUTE)));
    await(callboard.supervise("/shop/inner", new FailureZone().intensity(0, MINUTE), again));
    Future<ActorRef<Add>> unused =
        callboard.spawn("/shop/inner/late", Late::new, new ActorOptions());
    List<Optional<FailureStreak>> seen = new ArrayList<>();
    Eventually.assertThat(
        () -> {
          seen.add(inner(callboard));
          assertThat(seen.get(seen.size() - 1).map(FailureStreak::failures).orElse(0L))
              .isGreaterThan(3);
        });
    assertThat(seen.stream().dropWhile(Optional::isEmpty))
        .as("no change of its state ends it")
        .allMatch(Optional::isPresent)
        .extracting(streak -> streak.map(FailureStreak::since))
        .containsOnly(seen.get(seen.size() - 1).map(FailureStreak::since));
    broken.set(false);
    ActorRef<Add> ref = callboard.ref("/shop/inner/late", Add.class);
    Eventually.assertThat(
        () -> {
          assertThat(await(ref.ask(new Add(1), Total.class))).isEqualTo(new Total(1));
          assertThat(inner(callboard)).isEmpty();
        });
  }
}
