package io.callboard.workflows.graph;

/** State of a step in an instance. */
public enum StepState {
  /** Its edges are not decided yet. */
  PENDING,
  /** It may run, and no worker has it yet. */
  READY,
  /** A worker runs it; of other kinds, its job or its instance was requested. */
  RUNNING,
  /** An attempt failed, the next one waits for its backoff. */
  RETRY_WAIT,
  /** It succeeded. */
  SUCCEEDED,
  /** It failed, and is not retried. */
  FAILED,
  /** It was not to run: its edges were not satisfied, or its condition was false. */
  SKIPPED,
  /** It was cancelled, before or after its start. */
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
