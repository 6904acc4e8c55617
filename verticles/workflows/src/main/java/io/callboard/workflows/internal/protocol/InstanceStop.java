package io.callboard.workflows.internal.protocol;

/** Reason why an instance ends before its steps have. */
public enum InstanceStop {
  /** A user, or the instance above it, cancelled it. */
  CANCEL,
  /** Stop of an instance that is over the timeout of its definition. */
  TIMEOUT
}
