package io.callboard.supervision;

import io.callboard.Time;
import java.time.Duration;
import java.util.Objects;

/**
 * How the failures of an actor are treated.
 *
 * @param intensity restarts allowed within {@code window}; one more puts the actor to rest
 * @param window sliding
 * @param resetAfter time without a failure after which the backoff starts over
 */
public record SupervisionOptions(
    Backoff backoff, int intensity, Duration window, Duration resetAfter) {

  /** The default backoff, 20 restarts in 2 minutes, starting over after 1 minute. */
  public SupervisionOptions() {
    this(Backoff.DEFAULT, 20, Duration.ofMinutes(2), Duration.ofMinutes(1));
  }

  public SupervisionOptions {
    Objects.requireNonNull(backoff, "backoff is null: give Backoff.DEFAULT or another");
    Objects.requireNonNull(window, "window is null: give a duration");
    Objects.requireNonNull(resetAfter, "resetAfter is null: give a duration");
    if (intensity < 0 || window.isNegative() || window.isZero() || resetAfter.isNegative()) {
      throw new IllegalArgumentException(
          "supervision needs intensity >= 0, window > 0, resetAfter >= 0, not %d, %s, %s"
              .formatted(intensity, window, resetAfter));
    }
    check("window", window);
    check("resetAfter", resetAfter);
    check("backoff's max", backoff.max());
  }

  private static void check(String what, Duration duration) {
    if (duration.compareTo(Time.LONGEST) > 0) {
      throw new IllegalArgumentException(
          "supervision's %s must be %d days at most, not %s"
              .formatted(what, Time.LONGEST.toDays(), duration));
    }
  }

  public SupervisionOptions withBackoff(Backoff other) {
    return new SupervisionOptions(other, intensity, window, resetAfter);
  }

  public SupervisionOptions withIntensity(int restarts, Duration within) {
    return new SupervisionOptions(backoff, restarts, within, resetAfter);
  }
}
