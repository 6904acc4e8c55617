package io.callboard;

/**
 * Which messages of a mailbox are handled first: control before high before normal. Each has a lane
 * of its own, and every lane keeps its order.
 */
public enum Priority {
  /** For what must not wait behind work: stop, pause, configuration. */
  CONTROL,
  HIGH,
  /** The default. */
  NORMAL
}
