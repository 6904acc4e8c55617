package io.callboard.internal.supervisor;

import io.callboard.admin.FailureZoneStatus;
import io.callboard.admin.FailureZoneStatus.State;
import io.callboard.codecs.ActorPath;
import io.callboard.internal.failurezone.ChildRest;
import io.callboard.supervision.Directive;
import io.callboard.supervision.Failure;
import io.callboard.supervision.Failure.Kind;
import io.callboard.supervision.FailureStreak;
import io.callboard.supervision.RestartBudget;
import io.callboard.supervision.UndeployedException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * State, restarts and failures of one failure zone over all its lives. Used under the lock of its
 * runner, except for the sources that others set and for the failures, which any thread may read.
 */
final class FailureZoneHistory {
  private final Clock clock;
  private final String node;
  private final FailureRing failures = new FailureRing();
  private State state = State.STARTING;
  private int begun;
  private @Nullable Instant nextAttempt;
  private @Nullable ChildRest rest;
  private @Nullable ActorPath needs;

  /** Budget of the restarts in the zone. */
  private volatile @Nullable Supplier<RestartBudget> budget;

  /** Budget of the zone's own restarts, in the zone above. */
  private volatile @Nullable Supplier<RestartBudget> ownBudget;

  private volatile @Nullable Supplier<@Nullable FailureStreak> failing;

  FailureZoneHistory(Clock clock, String node) {
    this.clock = clock;
    this.node = node;
  }

  /** Sets the source of the budget of the present life. */
  void budget(Supplier<RestartBudget> reads) {
    budget = reads;
  }

  /** See {@link Supervised#budget}. */
  void ownBudget(@Nullable Supplier<RestartBudget> reads) {
    ownBudget = reads;
  }

  /** See {@link Supervised#failing}. */
  void failing(@Nullable Supplier<@Nullable FailureStreak> reads) {
    failing = reads;
  }

  // The state.

  void is(State next) {
    state = next;
    nextAttempt = null;
  }

  /**
   * Records that a life begins, and that nothing keeps the zone down any more.
   *
   * @return whether there was one before
   */
  boolean begins() {
    rest = null;
    needs = null;
    is(State.STARTING);
    return begun++ > 0;
  }

  /** Records that the next life begins after {@code delay}. */
  void waits(Duration delay) {
    is(State.WAITS);
    nextAttempt = clock.instant().plus(delay);
    failures.decided(Directive.RESTART, delay);
  }

  /** Records that no life is left. */
  void isDown() {
    is(down());
  }

  private State down() {
    if (rest != null) {
      return rest.asked() ? State.STOPPED : State.FAILED;
    }
    return needs == null ? State.WAITS : State.RESTS;
  }

  /** Sets the rest that the zone takes when no life is left; null if it is to run. */
  void rest(@Nullable ChildRest why) {
    rest = why;
  }

  /** Returns the rest that the zone takes when no life is left; null if it is to run. */
  @Nullable ChildRest rest() {
    return rest;
  }

  /** Sets what else must be resumed before the zone may begin; null if nothing must. */
  void needs(@Nullable ActorPath resting) {
    needs = resting;
  }

  @Nullable ActorPath needs() {
    return needs;
  }

  /**
   * Returns what must be resumed before the zone may begin; null if nothing must.
   *
   * @param path of the zone
   */
  @Nullable ActorPath resting(ActorPath path) {
    return needs != null ? needs : rest == null ? null : path;
  }

  // Failures.

  /** Returns the number of lives after the first. */
  int restarts() {
    return Math.max(0, begun - 1);
  }

  /** Records that a life has failed. */
  void failed(Throwable cause) {
    Kind kind = cause instanceof UndeployedException ? Kind.UNDEPLOYED : Kind.ESCALATED;
    failures.add(Failure.of(clock.instant(), kind, cause, node, restarts()));
  }

  /** Records the decision about the last failure. */
  void decided(Directive directive) {
    failures.decided(directive, null);
  }

  /** Returns the failure for which the zone, as a whole, was given up; null if it was not. */
  @Nullable Failure fatal() {
    return failures.fatal(restarts());
  }

  /** Returns the failures, oldest first; the last {@value FailureRing#MOST}. Any thread. */
  List<Failure> failures() {
    return failures.all();
  }

  /** Returns the present streak of failures; null if there is none, or nothing of it is to run. */
  private @Nullable FailureStreak streak() {
    Supplier<@Nullable FailureStreak> reads = failing;
    return switch (state) {
      case STARTING, RUNNING, WAITS -> reads == null ? null : reads.get();
      case STOPPING, FAILED, STOPPED, RESTS -> null;
    };
  }

  /** Status of the zone. */
  FailureZoneStatus status(FailureZoneRunner zone) {
    Supplier<RestartBudget> now = budget;
    Supplier<RestartBudget> own = ownBudget;
    List<Failure> all = failures.all();
    Failure last = all.isEmpty() ? null : all.get(all.size() - 1);
    return new FailureZoneStatus(
        zone.path(),
        node,
        zone.policy(),
        state,
        zone.childPaths(),
        restarts(),
        last == null ? null : last.cause(),
        last == null ? null : last.at(),
        nextAttempt,
        zone.above().zone(),
        zone.childFailures(),
        zone.childRestarts(),
        needs,
        now == null ? RestartBudget.unused(zone.policy().intensity()) : now.get(),
        zone.supervision().kind(),
        own == null ? null : own.get(),
        streak());
  }
}
