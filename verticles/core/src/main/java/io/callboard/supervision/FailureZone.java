package io.callboard.supervision;

import io.callboard.time.Time;
import java.time.Duration;
import java.util.Objects;

/**
 * Supervision policy of a failure zone; immutable. A failure zone is one supervisor with its
 * children, which may be failure zones themselves: a failure that it cannot handle escalates to the
 * zone above.
 *
 * @param rules the directives by cause
 * @param intensity restarts allowed in the whole zone
 * @param whenOver the reaction to more restarts, in the zone or of one child
 * @param endsWith when it ends by itself
 * @param stopTimeout time limit within which its children stop one after the other when the zone
 *     ends, whatever ends it; those that are left then are stopped all at once, and so is all that
 *     is in the zones among them, whatever the limits of those. Each actor also has its own {@link
 *     io.callboard.ActorOptions#stopTimeout()}, which alone limits the stop of children that are
 *     restarted together
 */
public record FailureZone(
    Strategy strategy,
    Rules rules,
    Intensity intensity,
    LimitAction whenOver,
    EndsWith endsWith,
    Duration stopTimeout) {
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(20);

  /** Condition under which a zone ends by itself, as a unit of work does. */
  public enum EndsWith {
    /** The zone does not end by itself. */
    NONE,
    /** End with the first of its significant children that is done. */
    ANY,
    /** End when all its significant children are done. */
    ALL
  }

  /**
   * Creates the default policy: one for one; every failure leads to a restart, and too many
   * restarts fail the zone.
   */
  public FailureZone() {
    this(
        Strategy.ONE_FOR_ONE,
        Rules.RESTART,
        Intensity.DEFAULT,
        LimitAction.ESCALATE,
        EndsWith.NONE,
        STOP_TIMEOUT);
  }

  /**
   * Creates a policy.
   *
   * @throws IllegalArgumentException if {@code stopTimeout} is negative or over {@link
   *     Time#LONGEST}
   */
  public FailureZone {
    Objects.requireNonNull(
        strategy, "strategy is null: choose ONE_FOR_ONE, ALL_FOR_ONE or REST_FOR_ONE");
    Objects.requireNonNull(rules, "rules is null: give Rules.RESTART or others");
    Objects.requireNonNull(intensity, "intensity is null: give Intensity.DEFAULT or another");
    Objects.requireNonNull(whenOver, "whenOver is null: choose ESCALATE, STOP or PARK");
    Objects.requireNonNull(endsWith, "endsWith is null: choose NONE, ANY or ALL");
    Objects.requireNonNull(stopTimeout, "stopTimeout is null: give a duration");
    if (stopTimeout.isNegative() || stopTimeout.compareTo(Time.LONGEST) > 0) {
      throw new IllegalArgumentException(
          "the stopTimeout of a failure zone must be 0 to %d days, not %s"
              .formatted(Time.LONGEST.toDays(), stopTimeout));
    }
  }

  /** Returns this policy with another restart strategy; {@link Strategy#ONE_FOR_ONE} by default. */
  public FailureZone strategy(Strategy other) {
    return new FailureZone(other, rules, intensity, whenOver, endsWith, stopTimeout);
  }

  /** Returns this policy with other directives by cause; {@link Rules#RESTART} by default. */
  public FailureZone rules(Rules other) {
    return new FailureZone(strategy, other, intensity, whenOver, endsWith, stopTimeout);
  }

  /**
   * Returns this policy with another limit of restarts in the whole zone; {@link Intensity#DEFAULT}
   * by default.
   */
  public FailureZone intensity(Intensity other) {
    return new FailureZone(strategy, rules, other, whenOver, endsWith, stopTimeout);
  }

  /** Returns this policy with at most that many restarts within a sliding window. */
  public FailureZone intensity(int restarts, Duration window) {
    return intensity(new Intensity(restarts, window));
  }

  /**
   * Returns this policy with another reaction to more restarts than the limit; {@link
   * LimitAction#ESCALATE} by default.
   */
  public FailureZone whenOver(LimitAction action) {
    return new FailureZone(strategy, rules, intensity, action, endsWith, stopTimeout);
  }

  /**
   * Returns this policy with another condition under which the zone ends by itself; {@link
   * EndsWith#NONE} by default.
   */
  public FailureZone endsWith(EndsWith children) {
    return new FailureZone(strategy, rules, intensity, whenOver, children, stopTimeout);
  }

  /**
   * Returns this policy with another time limit for stopping all children when the zone ends; 20
   * seconds by default.
   *
   * @throws IllegalArgumentException if {@code limit} is negative or over {@link Time#LONGEST}
   */
  public FailureZone stopTimeout(Duration limit) {
    return new FailureZone(strategy, rules, intensity, whenOver, endsWith, limit);
  }
}
