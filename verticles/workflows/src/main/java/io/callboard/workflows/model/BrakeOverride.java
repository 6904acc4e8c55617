package io.callboard.workflows.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What an operator has set instead of the measurements of a brake.
 *
 * @param credit how many instances that began since may run at once, 0 for none; null: the brake is
 *     off, whatever fails
 * @param by who has set it, for people
 * @param at when
 */
public record BrakeOverride(@Nullable Integer credit, String by, Instant at) {
  /** Highest credit. */
  public static final int MOST_CREDIT = 1_000_000;

  /** Checks the credit. */
  public BrakeOverride {
    if (credit != null && (credit < 0 || credit > MOST_CREDIT)) {
      throw new IllegalArgumentException(
          "the credit is 0 to %,d, not %,d".formatted(MOST_CREDIT, credit));
    }
  }
}
