package io.callboard.supervision;

/** What is done about a failure; see {@link Rules}. */
public enum Directive {
  /**
   * The child goes on as it is; only what failed is given up. Where it cannot, because it is a
   * durable actor, whose object may know more than was committed, it begins anew at once, which
   * does not count. One that fails in its start is restarted.
   */
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
