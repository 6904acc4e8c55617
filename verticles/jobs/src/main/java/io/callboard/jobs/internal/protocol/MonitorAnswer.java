package io.callboard.jobs.internal.protocol;

import io.callboard.jobs.model.JobLog;
import io.callboard.jobs.model.JobLogPart;
import org.jspecify.annotations.Nullable;

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
   * Answer whether arguments fit a handler; they do without a refusal.
   *
   * @param offered whether the host offers the handler; otherwise it knows nothing
   * @param pointer JSON pointer of what does not fit, in the arguments; null without a refusal
   * @param refusal what is wrong; null for nothing
   */
  record Checked(boolean offered, @Nullable String pointer, @Nullable String refusal)
      implements MonitorAnswer {}

  /**
   * Report that the output cannot be read.
   *
   * @param message reason, for people
   */
  record Unreadable(String message) implements MonitorAnswer {}
}
