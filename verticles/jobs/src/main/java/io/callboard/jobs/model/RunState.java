package io.callboard.jobs.model;

/** State of a run. */
public enum RunState {
  /** Granted; its host has not reported a start. */
  ADMITTED(true, false),
  /** State of a run whose process has started. */
  RUNNING(true, false),
  /** State of a run whose process ended with exit code 0. */
  SUCCEEDED(false, true),
  /** State of a run whose process ended otherwise, or that was refused because of the job. */
  FAILED(false, true),
  /** State of a run that ended after its job was cancelled. */
  CANCELLED(false, true),
  /** State of a run that does not exist any more; its outcome is unknown. */
  LOST(false, false),
  /** State of a run that its host could not start: neither an attempt nor a loss. */
  NOT_STARTED(false, false);

  private final boolean open;
  private final boolean attempt;

  RunState(boolean open, boolean attempt) {
    this.open = open;
    this.attempt = attempt;
  }

  /** Returns whether the process of a run in this state may be alive. */
  public boolean isOpen() {
    return open;
  }

  /** Returns whether a run that ended so counts as an attempt of its job. */
  public boolean isAttempt() {
    return attempt;
  }
}
