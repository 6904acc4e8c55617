package io.callboard.workflows.definition;

import java.time.Duration;

/**
 * Retries of a step: the pause after attempt n is min(max, initial·2ⁿ⁻¹), of which the upper half
 * is random.
 *
 * @param attempts number of attempts in all, 1 to {@value #MOST_ATTEMPTS}
 * @param initial pause after the first attempt
 * @param max longest pause
 */
public record StepRetry(int attempts, Duration initial, Duration max) {
  /** Maximum number of attempts. */
  public static final int MOST_ATTEMPTS = 100;

  /** A single attempt: the default. */
  public static final StepRetry ONCE =
      new StepRetry(1, Duration.ofSeconds(1), Duration.ofMinutes(5));

  /** Returns this with a number of attempts. */
  public StepRetry attempts(int number) {
    return new StepRetry(number, initial, max);
  }
}
