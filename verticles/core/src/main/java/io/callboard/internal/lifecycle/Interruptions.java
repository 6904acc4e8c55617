package io.callboard.internal.lifecycle;

import io.callboard.supervision.InterruptionStreak;
import io.callboard.time.Machine;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Interruptions of an actor in a row. They are over once it has handled a message, so nobody has to
 * end them, and by an interruption after a time in which it ran: others follow each other. What has
 * nothing to do meanwhile, and is interrupted at each failover, so stays interrupted at none.
 * Immutable.
 *
 * @param handled messages that it had handled by the last one
 * @param runsSince time from which on it has run since the last one; null if it has not
 */
@Machine
record Interruptions(InterruptionStreak streak, long handled, @Nullable Instant runsSince) {
  /**
   * Returns those after another one.
   *
   * @param before those so far; null if there are none
   * @param handled messages that the actor has handled
   */
  static Interruptions after(@Nullable Interruptions before, Instant at, long handled) {
    InterruptionStreak streak = before == null || before.ran(at) ? null : before.at(handled);
    return new Interruptions(
        streak == null
            ? new InterruptionStreak(at, at, 1)
            : new InterruptionStreak(streak.since(), at, streak.times() + 1),
        handled,
        null);
  }

  /** Returns them when the actor has begun to run at that time. */
  Interruptions runs(Instant at) {
    return new Interruptions(streak, handled, at);
  }

  private boolean ran(Instant until) {
    return runsSince != null
        && Duration.between(runsSince, until).compareTo(InterruptionStreak.LONG) > 0;
  }

  /**
   * Returns the streak; null if it is over.
   *
   * @param now messages that the actor has handled by now
   */
  @Nullable InterruptionStreak at(long now) {
    return now > handled ? null : streak;
  }
}
