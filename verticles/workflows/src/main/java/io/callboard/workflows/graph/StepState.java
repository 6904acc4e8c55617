package io.callboard.workflows.graph;

/** State of a step in an instance. */
public enum StepState {
  /** State of a step whose edges are not decided yet. */
  PENDING,
  /** State of a step that may run, and that no worker has yet. */
  READY,
  /** State of a step that a worker runs, or of which the job or the instance was requested. */
  RUNNING,
  /** State of a step of which an attempt failed and the next one waits for its backoff. */
  RETRY_WAIT,
  /** State of a step that succeeded. */
  SUCCEEDED,
  /** State of a step that failed and is not retried. */
  FAILED,
  /**
   * State of a step that was not to run: its edges were not satisfied, or its condition was false.
   */
  SKIPPED,
  /** State of a step that was cancelled, before or after its start. */
  CANCELLED;

  /** Returns whether the step is settled: its state is final. */
  public boolean isSettled() {
    return compareTo(SUCCEEDED) >= 0;
  }

  /** Returns whether the step is ready or has begun, and is not settled. */
  public boolean isOpen() {
    return this == READY || this == RUNNING || this == RETRY_WAIT;
  }
}
