package io.callboard.jobs.protocol;

import io.callboard.jobs.model.JobException;

/** Answers of a job's actor. */
public sealed interface JobAnswer {
  /** The job as it is now. */
  record Is(JobData job) implements JobAnswer {}

  /** It could not do that. */
  record Refused(JobException.Code code, String message) implements JobAnswer {}
}
