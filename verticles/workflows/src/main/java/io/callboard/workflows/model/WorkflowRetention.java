package io.callboard.workflows.model;

import java.time.Duration;

/**
 * Retention of workflow instances that have ended; the same on all nodes. The oldest of those that
 * SUCCEEDED leave the cell first, then the oldest of the others; into the database, if there is
 * one.
 *
 * @param instances maximum number of ended instances in the cell
 * @param age time after the end of an instance for which the cell has it at most
 * @param successes time after its end for which the database has one that SUCCEEDED
 * @param others time for which it has one that ended otherwise
 * @param every time between a node's passes over its ended instances, on average; a minute at most
 */
public record WorkflowRetention(
    int instances, Duration age, Duration successes, Duration others, Duration every) {
  /** Maximum time between passes, also while the database does not answer. */
  public static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  private static final Duration EVERY = Duration.ofSeconds(5);

  /** Retention by default, without a database. */
  public static final WorkflowRetention DEFAULT = new WorkflowRetention(50_000, Duration.ofDays(7));

  /** Number of ended instances that stay in the cell by default if there is a database. */
  public static final int RECENT = 1_000;

  /** Checks the values. */
  public WorkflowRetention {
    if (instances < 0) {
      throw new IllegalArgumentException(
          "instances is %d: a number of instances is 0 or more".formatted(instances));
    }
    check("age", age);
    check("successes", successes);
    check("others", others);
    if (every.isZero() || every.isNegative() || every.compareTo(LONGEST_PAUSE) > 0) {
      throw new IllegalArgumentException(
          "every is %s: a time between passes is more than PT0S, and %s at most"
              .formatted(every, LONGEST_PAUSE));
    }
  }

  private static void check(String name, Duration time) {
    if (time.isNegative()) {
      throw new IllegalArgumentException(
          "%s is %s: a time for which instances are kept is PT0S or more".formatted(name, time));
    }
  }

  /** Creates a retention with the default time between passes: 5 s. */
  public WorkflowRetention(int instances, Duration age, Duration successes, Duration others) {
    this(instances, age, successes, others, EVERY);
  }

  /** Creates a retention with the default times for the database: 7 and 90 days. */
  public WorkflowRetention(int instances, Duration age) {
    this(instances, age, Duration.ofDays(7), Duration.ofDays(90));
  }

  /** Returns this with other times for which the database has instances. */
  public WorkflowRetention rows(Duration ofSuccesses, Duration ofOthers) {
    return new WorkflowRetention(instances, age, ofSuccesses, ofOthers, every);
  }

  /** Returns this with another time between passes. */
  public WorkflowRetention every(Duration pause) {
    return new WorkflowRetention(instances, age, successes, others, pause);
  }

  /** Returns the time for which the database has an instance that ended in that state. */
  public Duration rows(InstanceState state) {
    return state == InstanceState.SUCCEEDED ? successes : others;
  }
}
