package io.callboard.jobs.model;

/**
 * Options of a node's part in the job scheduler.
 *
 * @param slots runs that this host takes at once; 0 for none
 * @param queueLimit number of waiting jobs in the cell from which submissions are refused
 * @param retention retention of jobs that have ended
 * @param schedules whether this node takes part in the scheduler: keeps jobs, their types and the
 *     gate when its turn comes. A node that does not runs jobs and submits them; it needs one that
 *     does in its cell
 */
public record JobsOptions(int slots, int queueLimit, JobRetention retention, boolean schedules) {
  /** Slots of a host by default. */
  public static final int DEFAULT_SLOTS = 10;

  /** Limit of waiting jobs by default. */
  public static final int DEFAULT_QUEUE_LIMIT = 100_000;

  /** Limit of simultaneous runs of a type by default. */
  public static final int DEFAULT_LIMIT = 100;

  /** The defaults. */
  public static final JobsOptions DEFAULT =
      new JobsOptions(DEFAULT_SLOTS, DEFAULT_QUEUE_LIMIT, JobRetention.DEFAULT, true);

  /**
   * Checks the options.
   *
   * @throws IllegalArgumentException if there are less than 0 slots or waiting jobs
   */
  public JobsOptions {
    if (slots < 0 || queueLimit < 0) {
      throw new IllegalArgumentException(
          "slots and the limit of waiting jobs are 0 or more, not %d and %d"
              .formatted(slots, queueLimit));
    }
  }

  /** Returns these options with other slots. */
  public JobsOptions slots(int most) {
    return new JobsOptions(most, queueLimit, retention, schedules);
  }

  /** Returns these options with another limit of waiting jobs. */
  public JobsOptions queueLimit(int most) {
    return new JobsOptions(slots, most, retention, schedules);
  }

  /** Returns these options with another retention. */
  public JobsOptions retention(JobRetention other) {
    return new JobsOptions(slots, queueLimit, other, schedules);
  }

  /** Returns these options for a node that takes part in the scheduler, or does not. */
  public JobsOptions schedules(boolean does) {
    return new JobsOptions(slots, queueLimit, retention, does);
  }
}
