package io.callboard.supervision;

/**
 * Restart type of a child: when its supervisor starts it again. After the restart types of
 * Erlang/OTP.
 */
public enum ChildKind {
  /** Always: it is not meant to end, so that ending by itself counts as a failure. */
  PERMANENT,
  /** After a failure; ending by itself is normal. */
  TRANSIENT,
  /** Never. */
  TEMPORARY
}
