package io.callboard.jobs;

/** What the monitor of a host answers. */
public sealed interface MonitorAnswer {
  /** What a run printed. */
  record Log(JobLog log) implements MonitorAnswer {}

  /** Bytes of what a run printed. */
  record Part(JobLogPart part) implements MonitorAnswer {}

  /** What it printed cannot be read, and why. */
  record Unreadable(String message) implements MonitorAnswer {}
}
