package io.callboard.internal.supervisor;

import io.callboard.internal.supervisor.Child.State;
import io.callboard.internal.supervisor.Supervised.Rest;
import io.callboard.supervision.ChildKind;
import io.callboard.supervision.Directive;
import io.callboard.supervision.Failure;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.LimitAction;
import io.callboard.supervision.SupervisionOptions;
import io.callboard.time.Machine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Supervision of the children of one failure zone: decides which are started and stopped, and when.
 * A machine without I/O: it takes {@code now} in nanoseconds of a monotonic clock, and events of
 * the children, and gives steps to be carried out in their order. Not thread-safe.
 *
 * <p>It keeps the present and the wanted state of each child, and after each event takes the steps
 * that bring the one nearer to the other: stops in the reverse order of the starts, one after the
 * other; then starts in their order. So a failure meanwhile changes only the wanted states.
 * Children in their wanted state cost nothing.
 */
@Machine
public final class FailureZoneMachine {
  /** Why a child rests that an operator parked. */
  static final String PARKED = "it was stopped by an operator";

  private FailureZone policy;
  private final RandomGenerator random;
  private final RestartWindow window;
  private final Siblings children;
  private final List<FailureZoneStep> steps = new ArrayList<>();
  private final Reconciler reconciler;
  private long places;
  private boolean running;

  private @Nullable FailureZoneStep end;

  public FailureZoneMachine(FailureZone policy, RandomGenerator random) {
    this.policy = policy;
    this.random = random;
    this.window = new RestartWindow(policy.intensity());
    this.children = new Siblings(policy.strategy());
    this.reconciler = new Reconciler(children, steps);
  }

  // The zone as a whole.

  /** Adds a child, the last in the order; it is started if the zone runs. */
  public List<FailureZoneStep> add(String name, SupervisionOptions options, long nowNs) {
    return changed(added(name, options, nowNs), nowNs);
  }

  /**
   * Adds a child that has rested since an earlier life of the zone.
   *
   * @param rest as reported then
   */
  public List<FailureZoneStep> addResting(
      String name, SupervisionOptions options, Rest rest, long nowNs) {
    Child child = added(name, options, nowNs);
    child.settled = true;
    isToRest(child, rest);
    return changed(child, nowNs);
  }

  /** Adds a child that runs already. */
  public List<FailureZoneStep> adopt(String name, SupervisionOptions options, long nowNs) {
    Child child = added(name, options, nowNs);
    reconciler.began(child, nowNs);
    return changed(child, nowNs);
  }

  private Child added(String name, SupervisionOptions options, long nowNs) {
    Child child = new Child(name, options, places++, nowNs);
    children.add(child);
    return child;
  }

  /** Removes a child: its program ended it for good, and nothing of it is left. */
  public List<FailureZoneStep> remove(String name, long nowNs) {
    Child child = child(name);
    down(child, nowNs);
    forget(child);
    return step(nowNs);
  }

  private void forget(Child child) {
    children.remove(child);
    reconciler.forget(child);
  }

  /** Starts the zone. A new life of it has a new machine, so no earlier failure counts. */
  public List<FailureZoneStep> start(long nowNs) {
    running = true;
    return step(nowNs);
  }

  /**
   * Changes the policy of the zone. Running children go on; restarts that count now do so under the
   * new intensity; decisions already made stand. Children that waited for others only by the last
   * strategy are started.
   */
  public List<FailureZoneStep> policy(FailureZone next, long nowNs) {
    policy = next;
    window.limit(next.intensity());
    children.strategy(next.strategy());
    return step(nowNs);
  }

  /** Changes the options of one child; see {@link Child#treatedBy}. */
  public List<FailureZoneStep> treat(String name, SupervisionOptions options, long nowNs) {
    child(name).treatedBy(options);
    return step(nowNs);
  }

  /** Stops the zone; {@link FailureZoneStep.Ended} follows. */
  public List<FailureZoneStep> stop(long nowNs) {
    if (!running) {
      return List.of(
          new FailureZoneStep.Ended()); // also if it reported another end, still under way
    }
    endWith(new FailureZoneStep.Ended());
    return step(nowNs);
  }

  /**
   * Stops all children at once that have not stopped yet: the time of the zone's stop has passed.
   */
  public List<FailureZoneStep> force(long nowNs) {
    if (running && end != null) {
      reconciler.stopAll();
    }
    return step(nowNs);
  }

  private void endWith(FailureZoneStep how) {
    if (end == null || how instanceof FailureZoneStep.Ended) {
      end = how; // one that was told to end does not fail then
    }
    for (Child child : children.all()) {
      child.wanted = false;
      reconciler.noted(child);
    }
  }

  // What became of a child.

  /**
   * Reports that the start of a child has succeeded. Each of these methods throws if there is no
   * child of that name.
   */
  public List<FailureZoneStep> started(String name, long nowNs) {
    Child child = child(name);
    if (child.state == State.STARTING) {
      child.up(nowNs);
    } else if (child.state == State.DOWN) {
      beganByItself(child, nowNs);
    }
    return changed(child, nowNs);
  }

  /**
   * Reports that another node runs the child. It counts as running here; if it is stopping, it is
   * started again after its stop, whatever it was to rest for.
   */
  public List<FailureZoneStep> elsewhere(String name, long nowNs) {
    Child child = child(name);
    if (child.state == State.STARTING || child.state == State.DOWN) {
      return started(name, nowNs);
    }
    if (end == null && child.rests != null) {
      child.rests = null;
      children.restsNoMore(child);
      child.wanted = true;
    }
    return changed(child, nowNs);
  }

  /**
   * Handles a child that other nodes may run, too: what it rested or waited for no longer holds.
   */
  private void beganByItself(Child child, long nowNs) {
    reconciler.began(child, nowNs);
    if (end == null) {
      child.rests = null;
      children.restsNoMore(child);
      child.wanted = true;
      child.doomed =
          children.resting(child) != null; // a sibling that it needs rests: so does it, here
    }
  }

  /** Reports that nothing is left of a child that was to stop. */
  public List<FailureZoneStep> stopped(String name, long nowNs) {
    Child child = child(name);
    if (child.state == State.STOPPING) {
      down(child, nowNs);
      child.settled = true;
    }
    return changed(child, nowNs);
  }

  /** Whether the child rests until it is resumed. */
  public boolean restsNow(String name) {
    return child(name).rests != null;
  }

  /**
   * Reports that the child has worked since it was started: if it stays healthy, it is forgiven.
   */
  public void worked(String name) {
    child(name).worked = true;
  }

  /**
   * Resets the backoff of a child that reports itself healthy; restarts that count go on counting.
   */
  public void well(String name) {
    child(name).isWell();
  }

  /** Window of the restarts in the zone; may be read by any thread. */
  public RestartWindow window() {
    return window;
  }

  /** Window of the restarts of a child with an intensity of its own; null for others. */
  public @Nullable RestartWindow window(String name) {
    return child(name).window();
  }

  /** Reports that a child failed, also in its start, and that nothing of it is left. */
  public List<FailureZoneStep> failed(String name, Throwable cause, long nowNs) {
    return failed(name, cause, true, nowNs);
  }

  /**
   * Reports a failure with an attempt of a message, which has a budget of its own: it is not
   * counted.
   */
  public List<FailureZoneStep> failedAttempt(String name, Throwable cause, long nowNs) {
    return failed(name, cause, false, nowNs);
  }

  private List<FailureZoneStep> failed(String name, Throwable cause, boolean counts, long nowNs) {
    Child child = child(name);
    boolean wasUp = child.state == State.UP;
    if (isGoing(child, cause, nowNs)) {
      return changed(child, nowNs);
    }
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
      case PARK -> rest(child, Failure.message(cause), false);
      case ESCALATE -> escalate(child, cause);
    }
    return changed(child, nowNs);
  }

  /**
   * Reports that a child has ended by itself, and that nothing of it is left; also while it is
   * stopping: then {@link #stopped} does not follow.
   */
  public List<FailureZoneStep> ended(String name, long nowNs) {
    Child child = child(name);
    if (child.options.kind() != ChildKind.PERMANENT) {
      down(child, nowNs);
      done(child);
      return changed(child, nowNs);
    }
    Throwable cause = new IllegalStateException("it ended although it is permanent");
    if (!isGoing(child, cause, nowNs)) {
      restart(child, cause, true, nowNs);
    }
    return changed(child, nowNs);
  }

  /**
   * Reports that something the child needs was unavailable: it is tried until it is not, and none
   * of that counts.
   */
  public List<FailureZoneStep> interrupted(String name, Throwable cause, long nowNs) {
    Child child = child(name);
    if (!isGoing(child, cause, nowNs)) {
      Duration delay = child.delayAfterInterruption(random);
      child.notBeforeNs = nowNs + delay.toNanos();
      steps.add(new FailureZoneStep.Retry(name, cause, delay, child.interruptions()));
      reconciler.startAgain(children.with(child), child.notBeforeNs);
    }
    return changed(child, nowNs);
  }

  /**
   * Reports that a restart is of no use, or that the child is a zone that rests as a whole: it
   * rests until it is resumed.
   */
  public List<FailureZoneStep> rests(String name, String why, long nowNs) {
    Child child = child(name);
    if (!isGoing(child, new IllegalStateException(why), nowNs)) {
      rest(child, why, false);
    }
    return changed(child, nowNs);
  }

  /**
   * Handles the end of a child; if it was to stop, only that counts.
   *
   * @return whether it was to stop
   */
  private boolean isGoing(Child child, Throwable cause, long nowNs) {
    if (child.state == State.STOPPING || child.state == State.DOWN) {
      return true;
    }
    boolean going = child.isToStop();
    down(child, nowNs);
    child.settled = true;
    if (going) {
      steps.add(new FailureZoneStep.Falls(child.name, cause, fate(child)));
    }
    return going;
  }

  /** Decision about a child that is to stop. */
  private Directive fate(Child child) {
    if (child.wanted) {
      return Directive.RESTART;
    } else if (child.rests != null || end instanceof FailureZoneStep.RestAll) {
      return Directive.PARK;
    }
    return end instanceof FailureZoneStep.Escalate ? Directive.ESCALATE : Directive.STOP;
  }

  private void down(Child child, long nowNs) {
    reconciler.down(child, nowNs);
  }

  private void restart(Child child, Throwable cause, boolean counts, long nowNs) {
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

  private void rest(Child child, String why, boolean asked) {
    isToRest(child, new Rest(why, asked));
    if (end == null) {
      reconciler.startAgain(children.with(child), child.notBeforeNs);
    }
    steps.add(new FailureZoneStep.Rest(child.name, why, asked));
  }

  private void isToRest(Child child, Rest rest) {
    child.wanted = false;
    child.rests = rest;
    children.rests(child);
    reconciler.needs(child, null);
  }

  private void restsNoMore(Child child) {
    if (child.rests != null) {
      child.rests = null;
      children.restsNoMore(child);
      steps.add(new FailureZoneStep.Resumed(child.name));
    }
  }

  private void done(Child child) {
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

  // By an operator.

  /** Resumes a child: it is to run, and neither earlier failures nor its backoff count. */
  public List<FailureZoneStep> resume(String name, long nowNs) {
    Child child = child(name);
    if (end == null && !child.done && (child.rests != null || child.state == State.DOWN)) {
      child.doomed = child.state != State.DOWN; // its siblings may have gone already
      restsNoMore(child);
      reconciler.forgive(child, nowNs);
    } else if (end != null) {
      restsNoMore(child); // in the next life of the zone
    }
    return changed(child, nowNs);
  }

  /** Restarts a child, with those that are restarted whenever it fails. */
  public List<FailureZoneStep> restart(String name, long nowNs) {
    Child child = child(name);
    if (end == null && !child.done) {
      child.doomed = child.state != State.DOWN;
      restsNoMore(child);
      reconciler.forgive(child, nowNs);
      reconciler.startAgain(children.with(child), nowNs);
    } else if (end != null) {
      restsNoMore(child);
    }
    return changed(child, nowNs);
  }

  /**
   * Parks a child: until it is resumed neither it nor children that need it run, in any life of the
   * zone.
   */
  public List<FailureZoneStep> park(String name, long nowNs) {
    Child child = child(name);
    if (!child.done && (child.rests == null || !child.rests.asked())) {
      rest(child, PARKED, true);
    }
    return changed(child, nowNs);
  }

  // What follows.

  /** Reports that the time of {@link #wakeNs} has come; harmless if it has not. */
  public List<FailureZoneStep> tick(long nowNs) {
    return step(nowNs);
  }

  /** Time at which to call {@link #tick}; empty if nothing waits for it. */
  public OptionalLong wakeNs(long nowNs) {
    return running ? reconciler.wakeNs(nowNs) : OptionalLong.empty();
  }

  private Child child(String name) {
    return children.get(name);
  }

  private List<FailureZoneStep> changed(Child child, long nowNs) {
    reconciler.noted(child);
    if (child.done && child.state == State.DOWN) {
      forget(child);
      steps.add(new FailureZoneStep.Done(child.name));
    }
    return step(nowNs);
  }

  private List<FailureZoneStep> step(long nowNs) {
    if (running && end == null) {
      reconciler.stopNext();
      reconciler.startNext(nowNs);
    } else if (running) {
      reconciler.stopNext();
      if (reconciler.isNoneLeft()) {
        running = false;
        steps.add(end);
      }
    }
    List<FailureZoneStep> all = List.copyOf(steps);
    steps.clear();
    return all;
  }
}
