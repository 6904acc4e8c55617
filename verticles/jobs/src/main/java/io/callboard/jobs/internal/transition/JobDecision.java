package io.callboard.jobs.internal.transition;

import io.callboard.jobs.internal.protocol.JobData;
import io.callboard.jobs.model.JobState;
import org.jspecify.annotations.Nullable;

/**
 * Decision about one message to a job.
 *
 * @param rule row that was taken
 * @param job job before it
 * @param next job after it, in the state to which the row leads; null if nothing of it changes
 */
public record JobDecision(JobTransition rule, JobData job, @Nullable JobData next) {
  /**
   * Creates a decision.
   *
   * @throws IllegalStateException if the job after it is in another state than the row says
   */
  public JobDecision {
    JobState to = rule.to() == null ? job.state() : rule.to();
    JobState is = next == null ? job.state() : next.state();
    if (is != to) {
      throw new IllegalStateException(
          "row %s leads job %s from %s to %s, not to %s"
              .formatted(rule, job.id(), job.state(), to, is));
    }
  }

  /** Returns the job as it is now. */
  public JobData now() {
    return next == null ? job : next;
  }
}
