package io.callboard.workflows.model;

import io.callboard.workflows.graph.InstanceOutcome;

/** State of an instance: it runs, is being cancelled, or has its outcome. */
public enum InstanceState {
  /** Steps of it run or wait; also while a failed instance is compensated. */
  RUNNING,
  /**
   * State of an instance that was cancelled or is over its timeout, and of which steps have not
   * ended yet.
   */
  CANCELLING,
  /** No step failed, or each failure was handled. */
  SUCCEEDED,
  /** A step failed that is allowed to; no other failure. */
  SUCCEEDED_WITH_WARNINGS,
  /** A step failed that is not allowed to, or the instance was over its timeout. */
  FAILED,
  /** State of an instance that was cancelled. */
  CANCELLED;

  /** Returns whether an instance in this state has ended; it may be retried or rerun. */
  public boolean isEnded() {
    return compareTo(SUCCEEDED) >= 0;
  }

  /** Returns the state of an instance that ended like this. */
  public static InstanceState of(InstanceOutcome outcome) {
    return switch (outcome) {
      case SUCCEEDED -> SUCCEEDED;
      case SUCCEEDED_WITH_WARNINGS -> SUCCEEDED_WITH_WARNINGS;
      case FAILED -> FAILED;
      case CANCELLED -> CANCELLED;
    };
  }
}
