package io.callboard.internal.failurezone;

import io.callboard.supervision.Causes;
import io.callboard.supervision.ChildKind;
import io.callboard.supervision.Directive;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.LimitAction;
import io.callboard.time.Machine;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Directives on the children of a {@link FailureZoneMachine}: restart within the limits, rest, stop
 * for good or escalate; and the end of the zone that follows from some of them. Not thread-safe.
 */
@Machine
final class Directives {
  private FailureZone policy;
  private final RandomGenerator random;
  private final RestartWindow window;
  private final Siblings children;
  private final Reconciler reconciler;
  private final List<FailureZoneStep> steps;

  /** The step with which the zone ends when nothing of it is left; null while it is to run. */
  private @Nullable FailureZoneStep end;

  /** Time at which the children that are left then stop all at once; null before the end begins. */
  private @Nullable Long limitNs;

  /**
   * @param steps the list to which steps are appended
   */
  Directives(
      FailureZone policy,
      RandomGenerator random,
      Siblings children,
      Reconciler reconciler,
      List<FailureZoneStep> steps) {
    this.policy = policy;
    this.random = random;
    this.window = new RestartWindow(policy.intensity());
    this.children = children;
    this.reconciler = reconciler;
    this.steps = steps;
  }

  /** Changes the policy; restarts that count now do so under the new intensity. */
  void policy(FailureZone next) {
    policy = next;
    window.limit(next.intensity());
  }

  /** Returns the window of the restarts in the zone; may be read by any thread. */
  RestartWindow window() {
    return window;
  }

  // The end of the zone.

  /** Returns whether the zone is to end. */
  boolean isEnding() {
    return end != null;
  }

  /** Returns the step with which the zone ends. */
  FailureZoneStep end() {
    return Objects.requireNonNull(end, "the zone is to run");
  }

  /** Ends the zone once all children have stopped, with that step as the last. */
  void endWith(FailureZoneStep how) {
    if (end == null || how instanceof FailureZoneStep.Ended) {
      end = how; // a zone that was asked to end does not fail then
    }
    for (Child child : children.all()) {
      child.wanted = false;
      reconciler.noted(child);
    }
  }

  /**
   * Keeps the time limit of the end, however it came about: it counts from the first call. To be
   * called before each step of the end.
   */
  void limit(long nowNs) {
    if (limitNs == null) {
      limitNs = nowNs + policy.stopTimeout().toNanos();
    }
    if (nowNs - limitNs >= 0) {
      reconciler.force();
    }
  }

  /** Returns the time limit of the end; empty if there is none, or it has passed. */
  OptionalLong limitNs() {
    return reconciler.isForced() || limitNs == null
        ? OptionalLong.empty()
        : OptionalLong.of(limitNs);
  }

  /** Returns the decision about a child that is to stop. */
  Directive fate(Child child) {
    if (child.wanted) {
      return Directive.RESTART;
    } else if (child.rests != null || end instanceof FailureZoneStep.RestAll) {
      return Directive.PARK;
    }
    return end instanceof FailureZoneStep.Escalate ? Directive.ESCALATE : Directive.STOP;
  }

  // Directives for a child.

  /**
   * Decides about a child that has failed, and of which nothing is left.
   *
   * @param wasUp whether its start had succeeded
   * @param counts whether the failure counts against the limits
   */
  void failed(Child child, Throwable cause, boolean wasUp, boolean counts, long nowNs) {
    switch (child.options.rules().decide(cause, policy.rules())) {
      case RESUME -> {
        if (wasUp) {
          child.notBeforeNs = nowNs; // it could not go on, but begins anew at once, uncounted
        } else {
          restart(child, cause, counts, nowNs);
        }
      }
      case RESTART -> restart(child, cause, counts, nowNs);
      case STOP -> done(child);
      case PARK -> rest(child, Causes.message(cause), false);
      case ESCALATE -> escalate(child, cause);
    }
  }

  /** Restarts a child after its backoff, or does what the limits say that are exceeded. */
  void restart(Child child, Throwable cause, boolean counts, long nowNs) {
    if (child.options.kind() == ChildKind.TEMPORARY) {
      done(child);
      return;
    }
    String over = counts ? child.overOwnLimit(nowNs) : null;
    if (over != null) {
      over(child, over, cause, false);
      return;
    } else if (counts && !window.allows(nowNs)) {
      over(child, window.limit(), cause, true);
      return;
    }
    Duration delay = child.delayAfterFailure(random);
    child.notBeforeNs = nowNs + delay.toNanos();
    steps.add(new FailureZoneStep.Wait(child.name, cause, delay, child.failures()));
    reconciler.startAgain(children.with(child), child.notBeforeNs);
  }

  private void over(Child child, String limit, Throwable cause, boolean zone) {
    LimitAction action =
        zone ? policy.whenOver() : child.options.whenOver().orElse(policy.whenOver());
    switch (action) {
      case ESCALATE -> escalate(child, cause);
      case STOP -> {
        if (zone) {
          steps.add(new FailureZoneStep.Falls(child.name, cause, Directive.STOP));
          endWith(new FailureZoneStep.Ended());
        } else {
          done(child);
        }
      }
      case PARK -> {
        if (zone) {
          steps.add(new FailureZoneStep.Falls(child.name, cause, Directive.PARK));
          endWith(new FailureZoneStep.RestAll(limit, child.name, cause));
        } else {
          rest(child, limit, false);
        }
      }
    }
  }

  private void escalate(Child child, Throwable cause) {
    steps.add(new FailureZoneStep.Falls(child.name, cause, Directive.ESCALATE));
    endWith(new FailureZoneStep.Escalate(cause));
  }

  /** Puts a child to rest until it is resumed, and reports that. */
  void rest(Child child, String why, boolean asked) {
    isToRest(child, new ChildRest(why, asked));
    if (end == null) {
      reconciler.startAgain(children.with(child), child.notBeforeNs);
    }
    steps.add(new FailureZoneStep.Rest(child.name, why, asked));
  }

  /** Marks a child as resting. */
  void isToRest(Child child, ChildRest rest) {
    child.wanted = false;
    child.rests = rest;
    children.rests(child);
    reconciler.needs(child, null);
  }

  /** Ends the rest of a child, and reports that; does nothing for others. */
  void restsNoMore(Child child) {
    if (child.rests != null) {
      child.rests = null;
      children.restsNoMore(child);
      steps.add(new FailureZoneStep.Resumed(child.name));
    }
  }

  /** Ends a child for good, and the zone if that is its policy. */
  void done(Child child) {
    child.wanted = false;
    child.done = true;
    boolean ends =
        child.options.significant()
            && switch (policy.endsWith()) {
              case NONE -> false;
              case ANY -> true;
              case ALL ->
                  children.all().stream()
                      .noneMatch(each -> each.options.significant() && !each.done);
            };
    if (ends) {
      endWith(new FailureZoneStep.Ended());
    }
  }
}
