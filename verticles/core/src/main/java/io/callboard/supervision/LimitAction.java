package io.callboard.supervision;

/** Reaction of a supervisor to more restarts than an {@link Intensity} allows. */
public enum LimitAction {
  /** The whole zone fails: the supervisor above decides. */
  ESCALATE,
  /** The child ends for good; if the limit is the zone's, the zone does. */
  STOP,
  /**
   * The child rests until it is resumed, as after {@link Directive#PARK}; if the limit is the
   * zone's, all of it rests until an operator resumes the zone.
   */
  PARK
}
