package io.callboard.supervision;

import io.callboard.time.Machine;
import io.callboard.time.Time;
import java.time.Duration;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * State of the retries of one operation: their counts, and the present wait. An immutable value:
 * {@link #next} and {@link #reset} return a new one. Counts stop at {@link Long#MAX_VALUE}.
 *
 * @param backoff the policy for the waits
 * @param retries since the last reset
 * @param resets how often it began anew, by {@link #reset} or at a {@link SlottedBackoff}'s ceiling
 * @param total retries, however often it began anew
 * @param delay the last one, of {@link #next}; zero in the beginning and after a reset
 */
@Machine
public record Retries(Backoff backoff, long retries, long resets, long total, Duration delay) {
  /** Restores a stored state; use {@link Backoff#begin()} for a new one. */
  public Retries {
    Objects.requireNonNull(backoff, "backoff is null: give Backoff.DEFAULT or another");
    Objects.requireNonNull(delay, "delay is null: give Duration.ZERO or the last one");
    if (retries < 0 || resets < 0 || total < retries) {
      throw new IllegalArgumentException(
          "retries need 0 <= retries <= total and resets >= 0, not retries %d, total %d, resets %d"
              .formatted(retries, total, resets));
    }
    if (delay.isNegative() || delay.compareTo(Time.LONGEST) > 0) {
      throw new IllegalArgumentException(
          "the delay of retries must be 0 to %d days, not %s"
              .formatted(Time.LONGEST.toDays(), delay));
    }
  }

  Retries(Backoff backoff) {
    this(backoff, 0, 0, 0, Duration.ZERO);
  }

  /** Returns the state for one more retry, which waits for the {@link #delay()} of the result. */
  public Retries next(RandomGenerator random) {
    if (backoff instanceof SlottedBackoff slotted) {
      return slotted.resetsAfter(this) ? reset() : waiting(slotted.waitAfter(this, random));
    }
    return waiting(((ExponentialBackoff) backoff).waitAfter(this, random));
  }

  private Retries waiting(Duration next) {
    return new Retries(backoff, oneMore(retries), resets, oneMore(total), next);
  }

  /**
   * Returns the state after a success: the next wait is as the first one. Counts as a reset even
   * without a retry before.
   */
  public Retries reset() {
    return new Retries(backoff, 0, oneMore(resets), total, Duration.ZERO);
  }

  /** Returns this state, counts included, with another backoff for the next wait. */
  public Retries with(Backoff other) {
    return new Retries(other, retries, resets, total, delay);
  }

  static long oneMore(long count) {
    return count == Long.MAX_VALUE ? count : count + 1;
  }
}
