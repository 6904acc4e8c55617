package io.callboard;

/**
 * Priority of a message in its mailbox: control before high before normal. Each priority has a lane
 * of its own, which keeps its order.
 */
public enum Priority {
  /** Priority of messages that must not wait behind work: stop, pause, configuration. */
  CONTROL,
  /** Priority above normal messages and below {@link #CONTROL}. */
  HIGH,
  /** Priority of ordinary messages, the default. */
  NORMAL
}
