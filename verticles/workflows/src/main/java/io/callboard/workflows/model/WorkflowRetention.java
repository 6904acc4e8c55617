package io.callboard.workflows.model;

import java.time.Duration;

/**
 * Retention of workflow instances that have ended; the same on all nodes. The oldest of those that
 * SUCCEEDED go first, then the oldest of the others.
 *
 * @param instances maximum number of ended instances in the cell
 * @param age time after the end of an instance for which it is kept at most
 */
public record WorkflowRetention(int instances, Duration age) {
  /** Retention by default. */
  public static final WorkflowRetention DEFAULT = new WorkflowRetention(50_000, Duration.ofDays(7));

  /** Checks the values. */
  public WorkflowRetention {
    if (instances < 0) {
      throw new IllegalArgumentException(
          "instances is %d: a number of instances is 0 or more".formatted(instances));
    }
    if (age.isNegative()) {
      throw new IllegalArgumentException(
          "age is %s: a time for which instances are kept is PT0S or more".formatted(age));
    }
  }
}
