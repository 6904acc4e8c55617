package io.callboard.supervision;

/**
 * Restart strategy of a failure zone: which children are restarted when one has failed. The
 * strategies are those of Erlang/OTP's supervisors.
 */
public enum Strategy {
  /** Only the failed child: the children do not depend on each other. */
  ONE_FOR_ONE,
  /** All children: each depends on the others. */
  ALL_FOR_ONE,
  /** The failed child and those started after it, which may depend on it. */
  REST_FOR_ONE
}
