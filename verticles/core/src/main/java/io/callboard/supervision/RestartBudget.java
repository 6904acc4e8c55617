package io.callboard.supervision;

import java.time.Duration;

/**
 * What an {@link Intensity} allows, and what of it is used: one restart more than are left, and the
 * {@link LimitAction} follows.
 *
 * @param allowed restarts within {@code window}
 * @param window sliding: a restart counts until it is over that old
 * @param counted those that count now
 */
public record RestartBudget(int allowed, Duration window, int counted) {
  /** One of which nothing is used. */
  public static RestartBudget unused(Intensity intensity) {
    return new RestartBudget(intensity.restarts(), intensity.window(), 0);
  }

  /** Restarts that are left now; 0 if a lowered limit is used up more than once. */
  public int left() {
    return Math.max(0, allowed - counted);
  }
}
