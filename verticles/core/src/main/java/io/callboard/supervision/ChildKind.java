package io.callboard.supervision;

/**
 * Restart type of a child: when its supervisor starts it again. After the restart types of
 * Erlang/OTP.
 */
public enum ChildKind {
  /**
   * Restart in any case: the child is not meant to end, so that ending by itself counts as a
   * failure.
   */
  PERMANENT,
  /** Restart after a failure only; ending by itself is normal. */
  TRANSIENT,
  /** Restart in no case. */
  TEMPORARY
}
