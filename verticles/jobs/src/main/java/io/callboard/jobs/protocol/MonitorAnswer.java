package io.callboard.jobs.protocol;

import io.callboard.jobs.model.JobLog;
import io.callboard.jobs.model.JobLogPart;

/** Answers of the monitor of a host. */
public sealed interface MonitorAnswer {
  /**
   * Output of a run.
   *
   * @param log the output
   */
  record Log(JobLog log) implements MonitorAnswer {}

  /**
   * Part of the output of a run, in bytes.
   *
   * @param part the part
   */
  record Part(JobLogPart part) implements MonitorAnswer {}

  /**
   * Report that the output cannot be read.
   *
   * @param message reason, for people
   */
  record Unreadable(String message) implements MonitorAnswer {}
}
