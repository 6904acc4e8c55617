package io.callboard.supervision;

/** What is done about a failure; see {@link Rules}. */
public enum Directive {
  /** The child goes on as it is; only what failed is given up. */
  RESUME,
  /** A new object takes its place, after the backoff. */
  RESTART,
  /** It ends for good. */
  STOP,
  /** The whole zone fails: the supervisor above decides. */
  ESCALATE,
  /** It rests, visibly, and its mail waits, until an operator resumes it. */
  PARK
}
