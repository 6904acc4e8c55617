package io.callboard.supervision;

/** What is done when there are more restarts than an {@link Intensity} allows. */
public enum LimitAction {
  /** The whole zone fails: the supervisor above decides. */
  ESCALATE,
  /** The child ends for good; if the limit is the zone's, the zone does. */
  STOP,
  /** The child rests until an operator resumes it; if the limit is the zone's, all of it does. */
  PARK
}
