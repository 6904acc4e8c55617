package io.callboard.task;

import io.callboard.supervision.Backoff;
import io.callboard.time.Machine;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Pauses between the passes of a {@linkplain BackgroundTasks#repeat repeated} task. They differ at
 * random, so that nodes which start together do not go on together.
 *
 * @param every pause after a pass that has succeeded, on average
 * @param spread share of it by which a pause is at most shorter or longer, 0 to 1
 * @param soon pause after a pass that has more to do
 * @param longest limit of the pause after failures in a row, if it is longer than the usual one:
 *     that after the first is half of it to all of it, and it doubles with each
 */
@Machine
public record Repetition(Duration every, double spread, Duration soon, Duration longest) {
  private static final double SPREAD = 0.2;

  /** Checks the durations. */
  public Repetition {
    if (every.isNegative() || every.isZero() || longest.compareTo(every) < 0) {
      throw new IllegalArgumentException(
          "a repetition needs 0 < every <= longest, not every %s, longest %s"
              .formatted(every, longest));
    } else if (soon.isNegative()) {
      throw new IllegalArgumentException("soon must not be negative, as is " + soon);
    } else if (!(spread >= 0 && spread <= 1)) {
      throw new IllegalArgumentException("the spread must be 0 to 1, not " + spread);
    }
  }

  /** Returns a repetition with pauses of that length, give or take a fifth, failures or not. */
  public static Repetition every(Duration pause) {
    return new Repetition(pause, SPREAD, pause, pause);
  }

  /** Returns this with that spread; with 0 the pauses after successes have equal lengths. */
  public Repetition spread(double share) {
    return new Repetition(every, share, soon, longest);
  }

  /** Returns this with that pause after a pass that has more to do. */
  public Repetition soon(Duration pause) {
    return new Repetition(every, spread, pause, longest);
  }

  /** Returns this with pauses that double with each failure in a row, up to a longest. */
  public Repetition backoff(Duration limit) {
    return new Repetition(every, spread, soon, limit);
  }

  /**
   * Returns the next pause.
   *
   * @param failures passes that failed in a row
   */
  Duration pause(int failures, RandomGenerator random) {
    if (failures > 0 && longest.compareTo(every) > 0) {
      return Backoff.exponential(every, longest).delay(failures, random);
    }
    double factor = 1 - spread + 2 * spread * random.nextDouble();
    return Duration.ofNanos(Math.max(1, (long) (every.toNanos() * factor)));
  }
}
