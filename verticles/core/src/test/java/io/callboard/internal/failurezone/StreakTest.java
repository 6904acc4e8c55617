package io.callboard.internal.failurezone;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.supervision.FailureStreak;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Tests of when a streak of failures is over. */
class StreakTest {
  private static final Duration WELL = Duration.ofSeconds(60);
  private static final Instant FIRST = Instant.parse("2026-11-27T12:00:00Z");

  /** A monotonic clock begins anywhere. */
  private long now = Long.MAX_VALUE - Duration.ofSeconds(30).toNanos();

  private final Streak streak = new Streak();

  private void later(int seconds) {
    now += Duration.ofSeconds(seconds).toNanos();
  }

  private void fails(int second) {
    streak.failed();
    streak.dated(FIRST.plusSeconds(second));
  }

  private void isOfFailures(int failures, boolean works) {
    assertThat(streak.at(works, WELL, now)).isEqualTo(new FailureStreak(FIRST, failures));
  }

  @Test
  void aChildWhoseStartFailsHasOneStreakWhateverItDoes() {
    assertThat(streak.at(true, WELL, now)).isNull();
    for (int i = 0; i < 5; i++) {
      fails(i);
      later(100);
      isOfFailures(i + 1, false);
      assertThat(streak.down(WELL, now)).isFalse();
    }
    streak.up(now);
    isOfFailures(5, false);
  }

  @Test
  void aLifeWithoutWorkDoesNotEndItHoweverLongItLasts() {
    fails(0);
    streak.up(now);
    later(3_600);
    isOfFailures(1, false);
    assertThat(streak.down(WELL, now)).isFalse();
    fails(1);
    isOfFailures(2, false);
  }

  @Test
  void aLifeThatRunsWellEndsItForReadersAtOnce() {
    fails(0);
    streak.up(now);
    later(59);
    isOfFailures(1, true);
    later(1);
    assertThat(streak.at(true, WELL, now)).isNull();
    streak.worked();
    assertThat(streak.down(WELL, now)).isTrue();
  }

  @Test
  void workOfALifeBeforeDoesNotCount() {
    fails(0);
    streak.up(now);
    streak.worked();
    later(1);
    assertThat(streak.down(WELL, now)).isFalse();
    streak.worked(); // reported late
    streak.up(now);
    later(60);
    isOfFailures(1, false);
    assertThat(streak.down(WELL, now)).isFalse();
  }

  @Test
  void theNextOneHasATimeOfItsOwn() {
    fails(0);
    streak.over();
    assertThat(streak.at(false, WELL, now)).isNull();
    fails(90);
    assertThat(streak.at(false, WELL, now)).isEqualTo(new FailureStreak(FIRST.plusSeconds(90), 1));
  }
}
