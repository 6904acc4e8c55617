package io.callboard.workflows.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Override that an operator has set instead of the measurements of a brake.
 *
 * @param credit how many instances that began since may run at once, 0 for none; null: the brake is
 *     off, whatever fails
 * @param by who has set it, for people
 * @param reason why, in up to {@value #MOST_REASON} characters; null for none given
 * @param at when
 */
public record BrakeOverride(
    @Nullable Integer credit, String by, @Nullable String reason, Instant at) {
  /** Highest credit. */
  public static final int MOST_CREDIT = 1_000_000;

  /** Maximum length of a reason. */
  public static final int MOST_REASON = 500;

  /** Checks the credit and the reason. */
  public BrakeOverride {
    if (reason != null && reason.length() > MOST_REASON) {
      throw new IllegalArgumentException(
          "the reason has %,d characters; the limit is %,d"
              .formatted(reason.length(), MOST_REASON));
    }
    if (credit != null && (credit < 0 || credit > MOST_CREDIT)) {
      throw new IllegalArgumentException(
          "the credit is 0 to %,d, not %,d".formatted(MOST_CREDIT, credit));
    }
  }
}
