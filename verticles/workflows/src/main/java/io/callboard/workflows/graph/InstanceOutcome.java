package io.callboard.workflows.graph;

/** Outcome of an instance. */
public enum InstanceOutcome {
  /** No step failed, or each failure was handled. */
  SUCCEEDED,
  /** A step failed that is allowed to; no other failure. */
  SUCCEEDED_WITH_WARNINGS,
  /** A step failed that is not allowed to, and no {@code failure} edge handled that. */
  FAILED,
  /** Outcome of an instance that was cancelled. */
  CANCELLED
}
