package io.callboard.supervision;

import io.callboard.time.Time;
import java.time.Duration;
import java.util.Objects;

/**
 * Limit of restarts within a sliding window. After the restart intensity of Erlang/OTP.
 *
 * @param restarts within {@code window}; one more exceeds the limit. 0 allows none
 * @param window sliding, positive, at most 10,000 days: a restart counts until it is older than
 *     that
 */
public record Intensity(int restarts, Duration window) {
  /** Any number of restarts. */
  public static final Intensity UNLIMITED = new Intensity(Integer.MAX_VALUE, Duration.ofNanos(1));

  /** 20 restarts in 2 minutes. */
  public static final Intensity DEFAULT = new Intensity(20, Duration.ofMinutes(2));

  /**
   * Creates a limit.
   *
   * @throws IllegalArgumentException if {@code restarts} is negative, or {@code window} is not
   *     positive or over {@link Time#LONGEST}
   */
  public Intensity {
    Objects.requireNonNull(window, "the window of an intensity is null: give a duration");
    if (restarts < 0 || window.isNegative() || window.isZero()) {
      throw new IllegalArgumentException(
          "an intensity needs restarts >= 0 and window > 0, not %d and %s"
              .formatted(restarts, window));
    } else if (window.compareTo(Time.LONGEST) > 0) {
      throw new IllegalArgumentException(
          "the window of an intensity must be %d days at most, not %s"
              .formatted(Time.LONGEST.toDays(), window));
    }
  }
}
