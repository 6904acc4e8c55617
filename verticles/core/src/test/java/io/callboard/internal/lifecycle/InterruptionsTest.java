package io.callboard.internal.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.supervision.InterruptionStreak;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests of which interruptions of an actor are in a row, and when they are long. */
class InterruptionsTest {
  private static final Instant FIRST = Instant.parse("2026-11-27T12:00:00Z");

  private @Nullable Interruptions interruptions;
  private long handled = 7;

  private static Instant at(int second) {
    return FIRST.plusSeconds(second);
  }

  private void isInterrupted(int second) {
    interruptions = Interruptions.after(interruptions, at(second), handled);
  }

  private void runs(int second) {
    Interruptions now = interruptions;
    interruptions = now == null ? null : now.runs(at(second));
  }

  private @Nullable InterruptionStreak streak() {
    Interruptions now = interruptions;
    return now == null ? null : now.at(handled);
  }

  private void isStreak(int since, int last, int times) {
    assertThat(streak()).isEqualTo(new InterruptionStreak(at(since), at(last), times));
  }

  private boolean isLong() {
    InterruptionStreak streak = streak();
    return streak != null && streak.isLong();
  }

  @Test
  void aStartThatIsInterruptedForEverHasOneStreak() {
    for (int i = 0; i <= 12; i++) {
      isInterrupted(5 * i);
      isStreak(0, 5 * i, i + 1);
      assertThat(isLong()).isFalse();
    }
    isInterrupted(61);
    assertThat(isLong()).as("a minute has passed").isTrue();
    isInterrupted(7_200);
    isStreak(0, 7_200, 15);
  }

  /** As with a record that is in conflict at each commit. */
  @Test
  void aLifeInWhichNothingIsHandledDoesNotEndIt() {
    for (int i = 0; i < 20; i++) {
      isInterrupted(10 * i);
      runs(10 * i + 5);
      isStreak(0, 10 * i, i + 1);
    }
    assertThat(isLong()).isTrue();
  }

  @Test
  void aHandledMessageEndsTheStreakAtOnce() {
    isInterrupted(0);
    isInterrupted(100);
    assertThat(isLong()).isTrue();
    runs(101);
    assertThat(streak()).as("it runs, but has handled nothing").isNotNull();
    handled++;
    assertThat(streak()).isNull();
    isInterrupted(102);
    isStreak(102, 102, 1);
  }

  @Test
  void interruptionsOfAFailoverAreNeverLongWhateverFollows() {
    isInterrupted(0);
    isInterrupted(20);
    runs(21);
    assertThat(isLong()).isFalse();
    isInterrupted(86_400); // at the failover of the next day, before which it had nothing to do
    isStreak(86_400, 86_400, 1);
    isInterrupted(86_420);
    isStreak(86_400, 86_420, 2);
    assertThat(isLong()).isFalse();
  }

  @Test
  void aLifeOfAMinuteIsNotLongEnough() {
    isInterrupted(0);
    runs(5);
    isInterrupted(65);
    isStreak(0, 65, 2);
    runs(70);
    isInterrupted(131);
    isStreak(131, 131, 1);
  }
}
