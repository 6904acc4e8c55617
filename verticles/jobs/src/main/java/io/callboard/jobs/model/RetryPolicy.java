package io.callboard.jobs.model;

import java.time.Duration;
import java.util.Objects;

/**
 * Schedule of retries of a failed job: the pause after attempt n is min(max, initial·2ⁿ⁻¹), of
 * which the upper half is random. Runs lost with their host do not count as attempts.
 *
 * @param attempts number of attempts in all, at least 1
 * @param initial pause after the first attempt
 * @param max longest pause
 */
public record RetryPolicy(int attempts, Duration initial, Duration max) {
  /**
   * Policy of a single attempt, the default of processes: only the submitter or the type knows
   * whether their effects may be repeated.
   */
  public static final RetryPolicy ONCE =
      new RetryPolicy(1, Duration.ofSeconds(5), Duration.ofHours(1));

  /** Policy of ten attempts, the default of handlers, which are written to be repeated. */
  public static final RetryPolicy HANDLERS =
      new RetryPolicy(10, Duration.ofSeconds(5), Duration.ofHours(1));

  /** Creates a policy. */
  public RetryPolicy {
    Objects.requireNonNull(initial, "initial of the retry policy is null: give a pause");
    Objects.requireNonNull(max, "max of the retry policy is null: give the longest pause");
  }
}
