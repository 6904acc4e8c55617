package io.callboard.jobs.protocol;

import io.callboard.jobs.model.JobLog;
import io.callboard.jobs.model.JobLogPart;

/** Answers of the monitor of a host. */
public sealed interface MonitorAnswer {
  /** What a run printed. */
  record Log(JobLog log) implements MonitorAnswer {}

  /** Bytes of what a run printed. */
  record Part(JobLogPart part) implements MonitorAnswer {}

  /** What it printed cannot be read, and why. */
  record Unreadable(String message) implements MonitorAnswer {}
}
