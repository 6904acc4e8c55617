package io.callboard.supervision;

import java.time.Duration;
import java.time.Instant;

/**
 * Streak of interruptions of an actor, in which it has handled nothing: again and again something
 * that it needs, such as its record in the store, was not available to it ({@link
 * Failure.Kind#INTERRUPTED}). It is over once the actor has handled a message, has run for a minute
 * before the next one, or is not to run: another node has it, or it rests. Interruptions count
 * neither as failures nor as restarts: the actor is tried until it runs.
 *
 * @param since time of the first interruption
 * @param last time of the last one
 * @param times number of them
 */
public record InterruptionStreak(Instant since, Instant last, long times) {
  /** Time from the first to the last interruption beyond which the streak is a long one. */
  public static final Duration LONG = Duration.ofMinutes(1);

  /**
   * Returns whether it has gone on for more than a minute, from its first to its last interruption:
   * those of a failover are close to each other, whatever the actor does or waits for then.
   */
  public boolean isLong() {
    return Duration.between(since, last).compareTo(LONG) > 0;
  }
}
