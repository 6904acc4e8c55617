package io.callboard.internal.failurezone;

import io.callboard.internal.failurezone.Child.State;
import io.callboard.supervision.ChildKind;
import io.callboard.time.Machine;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reconciler of the children of a {@link FailureZoneMachine}: brings them from their present to
 * their wanted states, one step after another: stops in the reverse order of the starts, then
 * starts in their order. Children in their wanted state cost nothing. Not thread-safe.
 */
@Machine
final class Reconciler {
  private final Siblings children;
  private final List<FailureZoneStep> steps;

  /** Children that are not in their wanted state. */
  private final TreeSet<Child> unstable = new TreeSet<>(Siblings.ORDER);

  /** The unstable children that are to stop; a set of their own, so that they are found at once. */
  private final TreeSet<Child> toStop = new TreeSet<>(Siblings.ORDER);

  private int present;

  /** True if {@link FailureZoneStep.Up} was given. */
  private boolean isUp;

  /** True if each child is stopped when it is noted to stop, whatever is behind it. */
  private boolean isForced;

  /** True if a child was reported as needing a resting sibling. */
  private boolean someWait;

  /**
   * @param steps the list to which steps are appended
   */
  Reconciler(Siblings children, List<FailureZoneStep> steps) {
    this.children = children;
    this.steps = steps;
  }

  // States of the children, and those that they are to have.

  /** Notes that the child may have become stable or unstable. */
  void noted(Child child) {
    if (child.isToStop()) {
      toStop.add(child);
    } else {
      toStop.remove(child);
    }
    if (child.isStable()) {
      unstable.remove(child);
    } else {
      unstable.add(child);
      if (isForced && child.isToStop() && child.state != State.STOPPING) {
        stopAtOnce(child);
      }
    }
  }

  void forget(Child child) {
    unstable.remove(child);
    toStop.remove(child);
  }

  /** Notes that the child runs although it was not started here. */
  void began(Child child, long nowNs) {
    present++;
    child.up(nowNs);
  }

  /** Notes that nothing of the child is left. */
  void down(Child child, long nowNs) {
    if (child.state != State.DOWN) {
      present--;
    }
    child.down(nowNs);
  }

  boolean isNoneLeft() {
    return present == 0;
  }

  /** Restarts children, those that run after a stop, none before that time. */
  void startAgain(List<Child> others, long notBeforeNs) {
    for (Child other : others) {
      if (other.options.kind() == ChildKind.TEMPORARY && other.state != State.DOWN) {
        other.wanted = false;
        other.done = true;
      }
      other.doomed = other.state != State.DOWN;
      if (other.notBeforeNs - notBeforeNs < 0) {
        other.notBeforeNs = notBeforeNs;
      }
      noted(other);
    }
  }

  /** Ends the backoff of the child, and of those that it may need. */
  void forgive(Child child, long nowNs) {
    for (Child before : children.before(child)) {
      if (before.isToStart() && before.notBeforeNs - nowNs > 0) {
        forgiveOne(before, nowNs);
      }
    }
    forgiveOne(child, nowNs);
  }

  /** Ends the backoff of one child, also for others that wait for it and for none of their own. */
  private void forgiveOne(Child child, long nowNs) {
    long waited = child.notBeforeNs;
    child.forgiven(nowNs);
    for (Child other : waited - nowNs > 0 ? children.with(child) : List.<Child>of()) {
      if (other.notBeforeNs == waited) {
        other.notBeforeNs = nowNs;
        noted(other);
      }
    }
  }

  // The steps that follow.

  /** Returns the time of the next start that waits for its backoff; empty if there is none. */
  OptionalLong wakeNs(long nowNs) {
    return unstable.stream()
        .filter(child -> child.isToStart() && !isBlocked(child))
        .filter(child -> child.notBeforeNs - nowNs > 0)
        .mapToLong(child -> child.notBeforeNs - nowNs)
        .min()
        .stream()
        .map(wait -> wait + nowNs)
        .findFirst();
  }

  /** Returns whether the child needs a sibling that rests. */
  private boolean isBlocked(Child child) {
    return children.resting(child) != null;
  }

  /** Stops the last child that is to stop, when all behind it have. */
  void stopNext() {
    if (!toStop.isEmpty()) {
      stopNow(toStop.last());
    }
  }

  /** Stops all children that are to stop at once; from now on also those that come up later. */
  void force() {
    if (!isForced) {
      isForced = true;
      toStop.descendingSet().forEach(this::stopAtOnce);
    }
  }

  boolean isForced() {
    return isForced;
  }

  private void stopAtOnce(Child child) {
    stopNow(child);
    steps.add(new FailureZoneStep.Force(child.name));
  }

  private void stopNow(Child child) {
    if (child.state != State.STOPPING) {
      child.state = State.STOPPING;
      steps.add(new FailureZoneStep.Stop(child.name));
    }
  }

  /** Starts the children that can be started, when none is to stop. */
  void startNext(long nowNs) {
    startUnstable(nowNs);
    tellUp();
  }

  private void startUnstable(long nowNs) {
    boolean ordered = !children.areIndependent();
    if (ordered && !toStop.isEmpty()) {
      return;
    }
    for (Child child : unstable) {
      if (child.isToStart() && child.notBeforeNs - nowNs <= 0 && !isBlocked(child)) {
        child.state = State.STARTING;
        present++;
        steps.add(new FailureZoneStep.Start(child.name));
      }
      if (ordered || !child.settled) {
        return; // those behind it may need it
      }
    }
  }

  /**
   * Reports the children that need a resting sibling, from when they are to stop for it, and those
   * that no longer do.
   */
  void tellNeeds() {
    boolean told = someWait;
    someWait = false;
    for (Child child : told || children.someRest() ? unstable : List.<Child>of()) {
      Child resting = child.isToWait() ? children.resting(child) : null;
      String needs = resting == null ? null : resting.name;
      someWait |= needs != null;
      needs(child, needs);
    }
  }

  void needs(Child child, @Nullable String resting) {
    if (!Objects.equals(resting, child.needs)) {
      child.needs = resting;
      steps.add(new FailureZoneStep.Needs(child.name, resting));
    }
  }

  private void tellUp() {
    if (isUp) {
      return;
    }
    boolean up =
        children.areIndependent()
            ? unstable.stream().allMatch(child -> child.settled)
            : unstable.stream().allMatch(child -> child.isToStart() && isBlocked(child));
    if (up) {
      isUp = true;
      steps.add(new FailureZoneStep.Up());
    }
  }
}
