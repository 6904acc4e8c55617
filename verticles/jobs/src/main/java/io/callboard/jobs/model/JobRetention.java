package io.callboard.jobs.model;

import java.time.Duration;

/**
 * Retention of jobs that have ended. What exceeds it is removed: the oldest successes first, then
 * the oldest of the others.
 *
 * @param records maximum number of records kept in ZooKeeper
 * @param age time after the end of a job for which its record is kept at most
 */
public record JobRetention(int records, Duration age) {
  /** Retention of records by default. */
  public static final JobRetention DEFAULT = new JobRetention(50_000, Duration.ofDays(7));

  /** Checks the values. */
  public JobRetention {
    if (records < 0) {
      throw new IllegalArgumentException(
          "%d records of ended jobs cannot be kept: give 0 or more".formatted(records));
    }
    if (age.isNegative()) {
      throw new IllegalArgumentException(
          "records of ended jobs cannot be kept for %s: give PT0S or more".formatted(age));
    }
  }
}
