package io.callboard.supervision;

import io.callboard.time.Time;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * Supervision of one child of a {@link FailureZone}, an actor or a zone; immutable.
 *
 * @param kind when it is started again
 * @param significant whether its zone may end with it, see {@link FailureZone#endsWith}
 * @param rules the directives by cause; where none matches, those of its zone decide
 * @param backoff before it is started again
 * @param resetAfter time without a failure after which the backoff begins anew, if the child did
 *     useful work meanwhile: an actor, handled a message
 * @param intensity of its own, besides the zone's; empty for none. An actor outside of any failure
 *     zone, or started by another actor, has {@link Intensity#DEFAULT} then
 * @param whenOver the reaction to more restarts than that; if empty, that of its zone. An actor
 *     outside of any failure zone, or started by another actor, rests then
 */
public record SupervisionOptions(
    ChildKind kind,
    boolean significant,
    Rules rules,
    Backoff backoff,
    Duration resetAfter,
    Optional<Intensity> intensity,
    Optional<LimitAction> whenOver) {

  /**
   * Creates the defaults: transient, the zone's rules, and the default backoff, which begins anew
   * after 1 minute.
   */
  public SupervisionOptions() {
    this(
        ChildKind.TRANSIENT,
        false,
        Rules.RESTART,
        Backoff.DEFAULT,
        Duration.ofMinutes(1),
        Optional.empty(),
        Optional.empty());
  }

  /**
   * Creates options.
   *
   * @throws IllegalArgumentException if {@code resetAfter} is negative or over {@link
   *     Time#LONGEST}, or if a permanent child is to be significant
   */
  public SupervisionOptions {
    Objects.requireNonNull(kind, "kind is null: choose PERMANENT, TRANSIENT or TEMPORARY");
    Objects.requireNonNull(rules, "rules is null: give Rules.RESTART or others");
    Objects.requireNonNull(backoff, "backoff is null: give Backoff.DEFAULT or another");
    Objects.requireNonNull(resetAfter, "resetAfter is null: give a duration");
    Objects.requireNonNull(intensity, "intensity is null: give one, or Optional.empty()");
    Objects.requireNonNull(whenOver, "whenOver is null: give an action, or Optional.empty()");
    if (resetAfter.isNegative() || resetAfter.compareTo(Time.LONGEST) > 0) {
      throw new IllegalArgumentException(
          "supervision's resetAfter must be 0 to %d days, not %s"
              .formatted(Time.LONGEST.toDays(), resetAfter));
    } else if (significant && kind == ChildKind.PERMANENT) {
      throw new IllegalArgumentException(
          "a permanent child never ends by itself and cannot be significant: make it transient or temporary");
    }
  }

  /**
   * Returns these options with another restart type; {@link ChildKind#TRANSIENT} by default.
   *
   * @throws IllegalArgumentException if the child is significant and is to be permanent
   */
  public SupervisionOptions kind(ChildKind other) {
    return new SupervisionOptions(
        other, significant, rules, backoff, resetAfter, intensity, whenOver);
  }

  /** Returns these options for a significant child, with which its zone may end. */
  public SupervisionOptions asSignificant() {
    return new SupervisionOptions(kind, true, rules, backoff, resetAfter, intensity, whenOver);
  }

  /**
   * Returns these options with directives of the child's own, which come before those of its zone;
   * by default it has none.
   */
  public SupervisionOptions rules(Rules own) {
    return new SupervisionOptions(kind, significant, own, backoff, resetAfter, intensity, whenOver);
  }

  /**
   * Returns these options with another backoff before restarts; {@link Backoff#DEFAULT} by default.
   */
  public SupervisionOptions backoff(Backoff other) {
    return new SupervisionOptions(kind, significant, rules, other, resetAfter, intensity, whenOver);
  }

  /**
   * Returns these options with another time without a failure after which the backoff begins anew;
   * 1 minute by default.
   *
   * @throws IllegalArgumentException if {@code healthy} is negative or over {@link Time#LONGEST}
   */
  public SupervisionOptions resetAfter(Duration healthy) {
    return new SupervisionOptions(kind, significant, rules, backoff, healthy, intensity, whenOver);
  }

  /** Returns these options with at most that many restarts of the child within a sliding window. */
  public SupervisionOptions intensity(int restarts, Duration window) {
    return new SupervisionOptions(
        kind,
        significant,
        rules,
        backoff,
        resetAfter,
        Optional.of(new Intensity(restarts, window)),
        whenOver);
  }

  /** Returns these options with another reaction to exceeding the child's own intensity. */
  public SupervisionOptions whenOver(LimitAction action) {
    Objects.requireNonNull(action, "whenOver is null: choose ESCALATE, STOP or PARK");
    return new SupervisionOptions(
        kind, significant, rules, backoff, resetAfter, intensity, Optional.of(action));
  }
}
