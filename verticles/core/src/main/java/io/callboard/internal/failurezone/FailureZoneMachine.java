package io.callboard.internal.failurezone;

import io.callboard.internal.failurezone.Child.State;
import io.callboard.supervision.ChildKind;
import io.callboard.supervision.FailureZone;
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
  /** Why a child rests that an operator suspended. */
  public static final String SUSPENDED = "it was stopped by an operator";

  private final RandomGenerator random;
  private final Siblings children;
  private final List<FailureZoneStep> steps = new ArrayList<>();
  private final Reconciler reconciler;
  private final Directives directives;
  private long places;
  private boolean running;

  public FailureZoneMachine(FailureZone policy, RandomGenerator random) {
    this.random = random;
    this.children = new Siblings(policy.strategy());
    this.reconciler = new Reconciler(children, steps);
    this.directives = new Directives(policy, random, children, reconciler, steps);
  }

  // The zone as a whole.

  /** Adds a child, the last in the order; it is started if the zone runs and does not end. */
  public List<FailureZoneStep> add(String name, SupervisionOptions options, long nowNs) {
    return changed(added(name, options, nowNs), nowNs);
  }

  /**
   * Adds a child that has rested since an earlier life of the zone.
   *
   * @param rest as reported then
   */
  public List<FailureZoneStep> addResting(
      String name, SupervisionOptions options, ChildRest rest, long nowNs) {
    Child child = added(name, options, nowNs);
    child.settled = true;
    directives.isToRest(child, rest);
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
    child.wanted = !directives.isEnding(); // else it begins in the zone's next life
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
    directives.policy(next);
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
    directives.endWith(new FailureZoneStep.Ended());
    return step(nowNs);
  }

  /**
   * Stops all children at once that have not stopped yet, and from now on each that comes up, as
   * when the time of the zone's stop has passed: that of the zone above has.
   */
  public List<FailureZoneStep> force(long nowNs) {
    if (running && directives.isEnding()) {
      reconciler.force();
    }
    return step(nowNs);
  }

  // Events of a child.

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
   * started again after its stop, whatever it was to rest for. How it failed here says nothing of
   * its life there: its streak of failures is over.
   */
  public List<FailureZoneStep> elsewhere(String name, long nowNs) {
    Child child = child(name);
    child.isWell();
    if (child.state == State.STARTING || child.state == State.DOWN) {
      return started(name, nowNs);
    }
    if (!directives.isEnding() && child.rests != null) {
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
    if (!directives.isEnding()) {
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

  /** Returns whether the child rests until it is resumed. */
  public boolean restsNow(String name) {
    return child(name).rests != null;
  }

  /**
   * Reports that the child has worked since it was started: if it stays healthy, it is forgiven.
   * Comes before the end of that life is reported, whatever that is.
   */
  public void worked(String name) {
    child(name).streak.worked();
  }

  /** Returns the streak of failures of a child; may be read by any thread. */
  public Streak streak(String name) {
    return child(name).streak;
  }

  /**
   * Resets the backoff of a child that reports itself healthy; restarts that count go on counting.
   */
  public void well(String name) {
    child(name).isWell();
  }

  /** Returns the window of the restarts in the zone; may be read by any thread. */
  public RestartWindow window() {
    return directives.window();
  }

  /**
   * Returns the window of the restarts of a child with an intensity of its own; null for others.
   */
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
    directives.failed(child, cause, wasUp, counts, nowNs);
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
      directives.done(child);
      return changed(child, nowNs);
    }
    Throwable cause = new IllegalStateException("it ended although it is permanent");
    if (!isGoing(child, cause, nowNs)) {
      directives.restart(child, cause, true, nowNs);
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
      directives.rest(child, why, false);
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
      steps.add(new FailureZoneStep.Falls(child.name, cause, directives.fate(child)));
    }
    return going;
  }

  private void down(Child child, long nowNs) {
    reconciler.down(child, nowNs);
  }

  // By an operator.

  /** Resumes a child: it is to run, and neither earlier failures nor its backoff count. */
  public List<FailureZoneStep> resume(String name, long nowNs) {
    Child child = child(name);
    if (!directives.isEnding()
        && !child.done
        && (child.rests != null || child.state == State.DOWN)) {
      child.doomed = child.state != State.DOWN; // its siblings may have gone already
      directives.restsNoMore(child);
      reconciler.forgive(child, nowNs);
    } else if (directives.isEnding()) {
      directives.restsNoMore(child); // in the next life of the zone
    }
    return changed(child, nowNs);
  }

  /** Restarts a child, with those that are restarted whenever it fails. */
  public List<FailureZoneStep> restart(String name, long nowNs) {
    Child child = child(name);
    if (!directives.isEnding() && !child.done) {
      child.doomed = child.state != State.DOWN;
      directives.restsNoMore(child);
      reconciler.forgive(child, nowNs);
      reconciler.startAgain(children.with(child), nowNs);
    } else if (directives.isEnding()) {
      directives.restsNoMore(child);
    }
    return changed(child, nowNs);
  }

  /**
   * Suspends a child: until it is resumed neither it nor children that need it run, in any life of
   * the zone.
   */
  public List<FailureZoneStep> suspend(String name, long nowNs) {
    Child child = child(name);
    if (!child.done && (child.rests == null || !child.rests.asked())) {
      directives.rest(child, SUSPENDED, true);
    }
    return changed(child, nowNs);
  }

  // Steps that follow.

  /** Reports that the time of {@link #wakeNs} has come; harmless if it has not. */
  public List<FailureZoneStep> tick(long nowNs) {
    return step(nowNs);
  }

  /** Returns the time at which to call {@link #tick}; empty if nothing waits for it. */
  public OptionalLong wakeNs(long nowNs) {
    if (!running) {
      return OptionalLong.empty();
    }
    return directives.isEnding() ? directives.limitNs() : reconciler.wakeNs(nowNs);
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
    if (running && !directives.isEnding()) {
      reconciler.tellNeeds(); // before their stops, so that nobody resumes one meanwhile
      reconciler.stopNext();
      reconciler.startNext(nowNs);
    } else if (running) {
      directives.limit(nowNs);
      reconciler.stopNext();
      if (reconciler.isNoneLeft()) {
        running = false;
        steps.add(directives.end());
      }
    }
    List<FailureZoneStep> all = List.copyOf(steps);
    steps.clear();
    return all;
  }
}
