package io.callboard.internal.failurezone;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.internal.failurezone.FailureZoneStep.Escalate;
import io.callboard.internal.failurezone.FailureZoneStep.Falls;
import io.callboard.internal.failurezone.FailureZoneStep.Needs;
import io.callboard.internal.failurezone.FailureZoneStep.Start;
import io.callboard.internal.failurezone.FailureZoneStep.Stop;
import io.callboard.internal.failurezone.FailureZoneStep.Wait;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.Directive;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.RestartBudget;
import io.callboard.supervision.Rules;
import io.callboard.supervision.Strategy;
import io.callboard.supervision.SupervisionOptions;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** A zone's policy, and how a child is treated, change while they run. */
class FailureZonePolicyChangeTest {
  private static final Throwable CRASH = new IllegalStateException("crash");
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final SupervisionOptions DOUBLING =
      new SupervisionOptions()
          .backoff(Backoff.exponential(SECOND, MINUTE, Backoff.Jitter.NONE))
          .resetAfter(MINUTE);

  private final FailureZone first = new FailureZone().intensity(3, MINUTE);
  private long now;
  private final FailureZoneMachine zone =
      new FailureZoneMachine(first, RandomGenerator.of("Random"));

  private void running(SupervisionOptions... children) {
    String[] names = {"a", "b", "c"};
    for (int i = 0; i < children.length; i++) {
      assertThat(zone.add(names[i], children[i], now)).isEmpty();
    }
    List<FailureZoneStep> unused = zone.start(now);
    for (int i = 0; i < children.length; i++) {
      unused = zone.started(names[i], now);
    }
  }

  /** The child fails, and is up again after its backoff, which is returned. */
  private Duration crash(String child) {
    Duration delay =
        zone.failed(child, CRASH, now).stream()
            .filter(Wait.class::isInstance)
            .map(step -> ((Wait) step).delay())
            .findFirst()
            .orElseThrow();
    now += delay.toNanos();
    assertThat(zone.tick(now)).containsExactly(new Start(child));
    assertThat(zone.started(child, now)).isEmpty();
    return delay;
  }

  @Test
  void restartsThatCountGoOnCountingUnderALowerLimit() {
    running(DOUBLING, DOUBLING);
    crash("a");
    crash("b");
    assertThat(zone.policy(first.intensity(1, MINUTE), now)).as("nothing happens now").isEmpty();
    assertThat(zone.window().budget(now)).isEqualTo(new RestartBudget(1, MINUTE, 2));
    assertThat(zone.window().budget(now).left()).isZero();
    assertThat(zone.failed("a", CRASH, now))
        .containsExactly(new Falls("a", CRASH, Directive.ESCALATE), new Stop("b"));
    assertThat(zone.stopped("b", now)).containsExactly(new Escalate(CRASH));
  }

  @Test
  void aHigherLimitLeavesSomeAgain() {
    running(DOUBLING);
    for (int i = 0; i < 3; i++) {
      crash("a");
    }
    assertThat(zone.window().budget(now).left()).isZero();
    assertThat(zone.policy(first.intensity(4, MINUTE), now)).isEmpty();
    assertThat(zone.window().budget(now).left()).isEqualTo(1);
    crash("a");
  }

  @Test
  void aShorterWindowForgetsWhatIsOlder() {
    running(DOUBLING);
    crash("a");
    now += Duration.ofSeconds(20).toNanos();
    crash("a");
    assertThat(zone.policy(first.intensity(3, Duration.ofSeconds(10)), now)).isEmpty();
    assertThat(zone.window().budget(now).counted()).isEqualTo(1);
  }

  @Test
  void anotherStrategyStopsNothingBeforeTheNextFailure() {
    running(DOUBLING, DOUBLING, DOUBLING);
    assertThat(zone.policy(first.strategy(Strategy.ALL_FOR_ONE), now)).isEmpty();
    assertThat(zone.failed("a", CRASH, now)).contains(new Stop("c"));
  }

  @Test
  void aChildThatNeedsARestingOneNoMoreIsStarted() {
    List<FailureZoneStep> unused = zone.policy(first.strategy(Strategy.REST_FOR_ONE), now);
    running(DOUBLING, DOUBLING);
    unused = zone.suspend("a", now);
    unused = zone.stopped("b", now);
    assertThat(zone.stopped("a", now)).isEmpty();
    assertThat(zone.policy(first.strategy(Strategy.ONE_FOR_ONE), now))
        .containsExactly(new Needs("b", null), new Start("b"));
  }

  @Test
  void otherRulesDecideTheNextFailure() {
    running(DOUBLING);
    assertThat(zone.policy(first.rules(Rules.RESTART.on(Error.class, Directive.STOP)), now))
        .isEmpty();
    crash("a");
    FailureZone parks = first.rules(Rules.RESTART.on(IllegalStateException.class, Directive.PARK));
    assertThat(zone.policy(parks, now)).isEmpty();
    assertThat(zone.failed("a", CRASH, now))
        .containsExactly(new FailureZoneStep.Rest("a", "crash", false));
  }

  @Test
  void anotherBackoffGoesOnWithTheFailuresInARow() {
    running(DOUBLING);
    assertThat(crash("a")).isEqualTo(SECOND);
    assertThat(crash("a")).isEqualTo(SECOND.multipliedBy(2));
    SupervisionOptions quicker =
        DOUBLING.backoff(Backoff.exponential(Duration.ofMillis(10), MINUTE, Backoff.Jitter.NONE));
    assertThat(zone.treat("a", quicker, now)).isEmpty();
    assertThat(crash("a")).as("the third in a row").isEqualTo(Duration.ofMillis(40));
  }

  @Test
  void anIntensityOfItsOwnIsChangedAndGivenAndTakenAway() {
    running(DOUBLING.intensity(2, MINUTE), DOUBLING);
    crash("a");
    assertThat(zone.treat("a", DOUBLING.intensity(5, MINUTE), now)).isEmpty();
    assertThat(Objects.requireNonNull(zone.window("a")).budget(now))
        .isEqualTo(new RestartBudget(5, MINUTE, 1));
    assertThat(zone.treat("a", DOUBLING, now)).isEmpty();
    assertThat(zone.window("a")).isNull();
    assertThat(zone.treat("b", DOUBLING.intensity(1, MINUTE), now)).isEmpty();
    assertThat(Objects.requireNonNull(zone.window("b")).budget(now).left()).isEqualTo(1);
  }

  @Test
  void aChildThatSaysItIsWellWaitsAsAfterAFirstFailureAndCountsOn() {
    running(DOUBLING);
    assertThat(crash("a")).isEqualTo(SECOND);
    assertThat(crash("a")).isEqualTo(SECOND.multipliedBy(2));
    zone.well("a");
    assertThat(crash("a")).isEqualTo(SECOND);
    assertThat(zone.window().budget(now).counted()).isEqualTo(3);
  }
}
