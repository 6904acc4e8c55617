package io.callboard.supervision;

import java.time.Duration;

/**
 * Restarts that an {@link Intensity} allows, and those used: one restart more than are left
 * triggers the {@link LimitAction}.
 *
 * @param allowed restarts within {@code window}
 * @param window sliding: a restart counts until it is older than that
 * @param counted restarts that count now
 */
public record RestartBudget(int allowed, Duration window, int counted) {
  /** Returns the unused budget of an intensity. */
  public static RestartBudget unused(Intensity intensity) {
    return new RestartBudget(intensity.restarts(), intensity.window(), 0);
  }

  /** Returns the number of restarts left; 0 if more were used than a lowered limit allows. */
  public int left() {
    return Math.max(0, allowed - counted);
  }
}
