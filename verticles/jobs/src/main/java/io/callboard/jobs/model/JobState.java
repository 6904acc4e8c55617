package io.callboard.jobs.model;

/** State of a job, by the word that operators see. */
public enum JobState {
  /** Accepted, not due yet. */
  SCHEDULED(false),
  /** Waits for other jobs. */
  BLOCKED(false),
  /** Due; waits for its type's limit and a free slot. */
  QUEUED(false),
  /** The gate granted a slot on a host; the host has not started it yet. */
  ADMITTED(false),
  /** Its process runs. */
  RUNNING(false),
  /** Its host is silent; the slot stays taken. */
  SUSPECT(false),
  /** The last run failed or was lost; waits for the next. */
  RETRY_WAIT(false),
  /** Kept back by an operator. */
  HELD(false),
  /** Asked to stop; its process is not gone yet. */
  CANCELLING(false),
  /** Ended with exit code 0. */
  SUCCEEDED(true),
  /** Failed, and no attempt is left. */
  DEAD(true),
  /** Stopped on request. */
  CANCELLED(true),
  /** Not started within its queue timeout or its total timeout. */
  EXPIRED(true);

  private final boolean terminal;

  JobState(boolean terminal) {
    this.terminal = terminal;
  }

  /** Whether the gate has it, for a run that is due or will be. */
  public boolean inQueue() {
    return this == QUEUED || this == SCHEDULED || this == RETRY_WAIT;
  }

  /** Whether nothing more happens without an operator. */
  public boolean terminal() {
    return terminal;
  }
}
