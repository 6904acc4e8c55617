package io.callboard.supervision;

/**
 * Which children of a failure zone are started again when one of them failed. The forms are those
 * of Erlang/OTP's supervisors.
 */
public enum Strategy {
  /** Only the one that failed: the children do not need each other. */
  ONE_FOR_ONE,
  /** All of them: none of use without the others. */
  ALL_FOR_ONE,
  /** The one that failed and those started after it, which may need it. */
  REST_FOR_ONE
}
