package io.callboard.jobs.model;

import java.time.Instant;
import java.util.List;

/**
 * Answer to why a job does not run.
 *
 * @param state state of the job
 * @param since since when it is in that state
 * @param blockedBy every reason that is known; empty only while it runs and its host reports it
 */
public record JobWhy(JobState state, Instant since, List<Blocked> blockedBy) {
  /** Copies the list. */
  public JobWhy {
    blockedBy = List.copyOf(blockedBy);
  }
}
