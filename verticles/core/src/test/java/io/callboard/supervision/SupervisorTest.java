package io.callboard.supervision;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.supervision.Backoff.Jitter;
import io.callboard.supervision.Supervisor.Directive;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SupervisorTest {
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(8), Jitter.NONE);
  private static final SupervisionOptions OPTIONS =
      new SupervisionOptions(BACKOFF, 3, Duration.ofSeconds(60), Duration.ofSeconds(30));

  private final Supervisor supervisor = new Supervisor(OPTIONS, new SplittableRandom(1));

  private static long s(long seconds) {
    return Duration.ofSeconds(seconds).toNanos();
  }

  private static Directive restart(long seconds) {
    return new Directive.Restart(Duration.ofSeconds(seconds));
  }

  @Test
  void waitsLongerWithEachConsecutiveFailure() {
    assertThat(supervisor.failed(s(0))).isEqualTo(restart(1));
    supervisor.started(s(1));
    assertThat(supervisor.failed(s(2))).isEqualTo(restart(2));
    supervisor.started(s(4));
    assertThat(supervisor.failed(s(5))).isEqualTo(restart(4));
  }

  @Test
  void startsOverAfterAHealthyPeriod() {
    assertThat(supervisor.failed(s(0))).isEqualTo(restart(1));
    supervisor.started(s(1));
    assertThat(supervisor.failed(s(31))).isEqualTo(restart(1));
  }

  @Test
  void timeSpentDownIsNotHealth() {
    assertThat(supervisor.failed(s(0))).isEqualTo(restart(1));
    assertThat(supervisor.failed(s(40))).as("a failed start").isEqualTo(restart(2));
  }

  @Test
  void restsOverTheIntensityWithinTheSlidingWindow() {
    supervisor.failed(s(0));
    supervisor.failed(s(20));
    supervisor.failed(s(40));
    assertThat(supervisor.failed(s(59))).isInstanceOf(Directive.Rest.class);
  }

  @Test
  void theWindowSlidesExactly() {
    supervisor.failed(s(0));
    supervisor.failed(s(20));
    supervisor.failed(s(40));
    assertThat(supervisor.failed(s(60)))
        .as("the first is just out")
        .isInstanceOf(Directive.Restart.class);
    assertThat(supervisor.failed(s(79))).isInstanceOf(Directive.Rest.class);
  }

  @Test
  void anOperatorStartsItOver() {
    supervisor.failed(s(0));
    supervisor.failed(s(1));
    supervisor.failed(s(2));
    assertThat(supervisor.failed(s(3))).isInstanceOf(Directive.Rest.class);
    supervisor.resumed();
    assertThat(supervisor.failed(s(4))).isEqualTo(restart(1));
  }

  @Test
  void worksOverTheOverflowOfTheClock() {
    long almost = Long.MAX_VALUE - s(10);
    supervisor.failed(almost);
    supervisor.failed(almost + s(5));
    supervisor.failed(almost + s(15));
    assertThat(supervisor.failed(almost + s(20))).isInstanceOf(Directive.Rest.class);
  }

  @Test
  void interruptionsWaitLongerUpToALimitAndNeverEndInRest() {
    Duration last = Duration.ZERO;
    for (int times = 1; times <= 1_000; times++) {
      Directive.Retry retry = (Directive.Retry) supervisor.interrupted(s(times));
      assertThat(retry.times()).isEqualTo(times);
      assertThat(retry.delay()).isBetween(Duration.ofMillis(100), Duration.ofSeconds(5));
      last = retry.delay();
    }
    assertThat(last).isGreaterThanOrEqualTo(Duration.ofMillis(2_500));
  }

  @Test
  void interruptionsUseUpNothingOfTheBudget() {
    assertThat(supervisor.failed(s(0))).isEqualTo(restart(1));
    for (int i = 0; i < 10; i++) {
      assertThat(supervisor.interrupted(s(1))).isInstanceOf(Directive.Retry.class);
    }
    assertThat(supervisor.failed(s(2))).isEqualTo(restart(2));
    assertThat(supervisor.failed(s(3))).isEqualTo(restart(4));
    assertThat(supervisor.interrupted(s(4))).isInstanceOf(Directive.Retry.class);
    assertThat(supervisor.failed(s(4))).isInstanceOf(Directive.Rest.class);
  }

  @Test
  void interruptionsStartOverAfterAHealthyPeriod() {
    assertThat(supervisor.interrupted(s(0))).isInstanceOf(Directive.Retry.class);
    supervisor.started(s(1));
    assertThat(((Directive.Retry) supervisor.interrupted(s(2))).times()).isEqualTo(2);
    supervisor.started(s(3));
    assertThat(((Directive.Retry) supervisor.interrupted(s(33))).times()).isEqualTo(1);
  }
}
