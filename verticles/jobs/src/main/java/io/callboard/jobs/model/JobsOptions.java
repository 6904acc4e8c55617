package io.callboard.jobs.model;

import java.nio.file.Path;

/**
 * Options of a node's part in the job scheduler.
 *
 * @param data directory below which run directories are kept, in {@code runs}
 * @param homeId id of {@code data}, the same over restarts
 * @param slots runs that this host takes at once; 0 for none
 * @param queueLimit number of waiting jobs in the cell from which submissions are refused
 * @param retention retention of jobs that have ended
 */
public record JobsOptions(
    Path data, String homeId, int slots, int queueLimit, JobRetention retention) {
  /** Slots of a host by default. */
  public static final int DEFAULT_SLOTS = 10;

  /** Limit of waiting jobs by default. */
  public static final int DEFAULT_QUEUE_LIMIT = 100_000;

  /** Limit of simultaneous runs of a type by default. */
  public static final int DEFAULT_LIMIT = 100;

  /** Creates options with the default retention. */
  public JobsOptions(Path data, String homeId, int slots, int queueLimit) {
    this(data, homeId, slots, queueLimit, JobRetention.DEFAULT);
  }
}
