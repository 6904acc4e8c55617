package io.callboard.jobs.table;

import io.callboard.jobs.protocol.JobData;
import org.jspecify.annotations.Nullable;

/**
 * Decision about one message to a job.
 *
 * @param rule row that was taken
 * @param job job before it
 * @param next job after it; null if nothing of it changes
 */
public record JobDecision(JobTransition rule, JobData job, @Nullable JobData next) {
  /** Returns the job as it is now. */
  public JobData now() {
    return next == null ? job : next;
  }
}
