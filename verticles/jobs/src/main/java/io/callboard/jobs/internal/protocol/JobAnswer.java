package io.callboard.jobs.internal.protocol;

import io.callboard.jobs.model.JobException;

/** Answers of a job's actor. */
public sealed interface JobAnswer {
  /**
   * Current state of the job.
   *
   * @param job the job
   */
  record Is(JobData job) implements JobAnswer {}

  /**
   * Refusal of a command.
   *
   * @param code kind of refusal
   * @param message reason, for people
   */
  record Refused(JobException.Code code, String message) implements JobAnswer {}
}
