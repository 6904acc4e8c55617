package io.callboard;

/**
 * Priority of a message in its mailbox: control before high before normal. Each priority has a lane
 * of its own, which keeps its order.
 */
public enum Priority {
  /** For messages that must not wait behind work: stop, pause, configuration. */
  CONTROL,
  HIGH,
  /** The default. */
  NORMAL
}
