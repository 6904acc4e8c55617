package io.callboard.jobs.model;

import java.nio.file.Path;

/**
 * Options of a node's part in the job scheduler.
 *
 * @param data where run directories are kept, below {@code runs}
 * @param homeId identifies {@code data} over restarts
 * @param slots runs that this host takes at once; 0 for none
 * @param queueLimit jobs that may wait in the gate before a submission is refused
 */
public record JobsOptions(Path data, String homeId, int slots, int queueLimit) {
  public static final int DEFAULT_SLOTS = 10;
  public static final int DEFAULT_QUEUE_LIMIT = 5_000;

  /** Runs of a type at the same time unless its limit is set. */
  public static final int DEFAULT_LIMIT = 100;
}
