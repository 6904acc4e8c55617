package io.callboard.supervision;

import java.util.Objects;

/**
 * What a failure zone does about failures of its children; immutable. A failure zone is one
 * supervisor with its children, which may be failure zones themselves: what it cannot mend goes to
 * the one above.
 *
 * @param rules which failure has which directive
 * @param intensity restarts allowed in the whole zone
 * @param whenOver what is done when there are more, in the zone or of one child
 * @param endsWith when it ends by itself
 */
public record FailureZone(
    Strategy strategy, Rules rules, Intensity intensity, LimitAction whenOver, EndsWith endsWith) {

  /** When a zone ends by itself, as a unit of work does. */
  public enum EndsWith {
    /** Not at all. */
    NONE,
    /** With the first of its significant children that is done. */
    ANY,
    /** When all its significant children are done. */
    ALL
  }

  /** One for one; every failure is answered by a restart, and too many fail the zone. */
  public FailureZone() {
    this(
        Strategy.ONE_FOR_ONE,
        Rules.RESTART,
        Intensity.DEFAULT,
        LimitAction.ESCALATE,
        EndsWith.NONE);
  }

  public FailureZone {
    Objects.requireNonNull(strategy, "the strategy of a failure zone");
    Objects.requireNonNull(rules, "the rules of a failure zone");
    Objects.requireNonNull(intensity, "the intensity of a failure zone");
    Objects.requireNonNull(whenOver, "what a failure zone does when it is over its intensity");
    Objects.requireNonNull(endsWith, "when a failure zone ends by itself");
  }

  public FailureZone strategy(Strategy other) {
    return new FailureZone(other, rules, intensity, whenOver, endsWith);
  }

  public FailureZone rules(Rules other) {
    return new FailureZone(strategy, other, intensity, whenOver, endsWith);
  }

  public FailureZone intensity(Intensity other) {
    return new FailureZone(strategy, rules, other, whenOver, endsWith);
  }

  public FailureZone whenOver(LimitAction action) {
    return new FailureZone(strategy, rules, intensity, action, endsWith);
  }

  public FailureZone endsWith(EndsWith children) {
    return new FailureZone(strategy, rules, intensity, whenOver, children);
  }
}
