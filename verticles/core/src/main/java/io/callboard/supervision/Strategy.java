package io.callboard.supervision;

/**
 * Restart strategy of a failure zone: which children are restarted when one has failed. The
 * strategies are those of Erlang/OTP's supervisors.
 */
public enum Strategy {
  /** Restart of the failed child only: the children do not depend on each other. */
  ONE_FOR_ONE,
  /** Restart of all children: each depends on the others. */
  ALL_FOR_ONE,
  /** Restart of the failed child and of those started after it, which may depend on it. */
  REST_FOR_ONE
}
