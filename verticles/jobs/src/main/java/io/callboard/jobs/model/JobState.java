package io.callboard.jobs.model;

/** State of a job, by the word that operators see. */
public enum JobState {
  /** Accepted, not due yet. */
  SCHEDULED(false),
  /**
   * Waiting for other jobs. Reserved: jobs cannot depend on others yet, so none is ever in it, but
   * programs that read states should know it.
   */
  BLOCKED(false),
  /** Due; waiting for its type's limit and a free slot. */
  QUEUED(false),
  /** Granted a slot on a host that has not started the run yet. */
  ADMITTED(false),
  /** Running as a process. */
  RUNNING(false),
  /** Running without progress within its progress timeout. */
  STALLED(false),
  /** Running on a host that is silent; the slot stays taken. */
  SUSPECT(false),
  /** Waiting for the next run after one that failed or was lost. */
  RETRY_WAIT(false),
  /** Kept back by an operator. */
  HELD(false),
  /** Asked to stop; its process is not gone yet. */
  CANCELLING(false),
  /** Ended with exit code 0. */
  SUCCEEDED(true),
  /** Failed, with no attempt left. */
  DEAD(true),
  /** Stopped on request. */
  CANCELLED(true),
  /** Ended without a start within its queue timeout or its total timeout. */
  EXPIRED(true);

  private final boolean terminal;

  JobState(boolean terminal) {
    this.terminal = terminal;
  }

  /** Returns whether the gate has the job, for a run that is due or will be. */
  public boolean inQueue() {
    return this == QUEUED || this == SCHEDULED || this == RETRY_WAIT;
  }

  /** Returns whether the job has ended: nothing more happens without an operator. */
  public boolean terminal() {
    return terminal;
  }
}
