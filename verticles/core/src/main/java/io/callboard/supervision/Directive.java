package io.callboard.supervision;

/** Reaction of a supervisor to a failure; see {@link Rules}. */
public enum Directive {
  /**
   * The child continues as it is; only the failed message is given up. A durable actor, whose
   * object may know more than was committed, is restarted at once instead, which does not count as
   * a restart. A child that fails in its start is restarted.
   */
  RESUME,
  /** The child is replaced by a new object, after the backoff. */
  RESTART,
  /** The child ends for good. */
  STOP,
  /** The whole zone fails: the supervisor above decides. */
  ESCALATE,
  /**
   * The child rests, visibly, and its mail waits, until it is resumed: by an operator or, if it is
   * hosted and its node has a grid, by that, after pauses that double.
   */
  PARK
}
