package io.callboard.jobs.model;

import java.time.Duration;

/**
 * Schedule of retries of a failed job: attempt n waits min(max, initial·2ⁿ⁻¹), of which the upper
 * half is jittered. Runs lost with their host do not count as attempts.
 *
 * @param attempts in all, at least 1
 */
public record RetryPolicy(int attempts, Duration initial, Duration max) {
  /**
   * A process runs once unless its submitter or its type asks for more: only they know whether its
   * effects may be repeated.
   */
  public static final RetryPolicy ONCE =
      new RetryPolicy(1, Duration.ofSeconds(5), Duration.ofHours(1));
}
