package io.callboard.supervision;

import io.callboard.supervision.Child.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Supervises the children of one failure zone: says which are to be started and stopped, and when.
 * A machine without I/O: it takes {@code now} in nanoseconds of a monotonic clock, and what became
 * of its children, and gives steps to be done in their order. Not thread-safe.
 *
 * <p>It keeps what each child is and what it is to be, and after each event does what brings the
 * one nearer to the other: stops in the reverse order of the starts, one after the other; then
 * starts in their order. So whatever fails meanwhile changes only what is to be. Children that are
 * as they are to be cost nothing.
 */
final class ZoneSupervisor {
  private final FailureZone policy;
  private final RandomGenerator random;
  private final Window window;
  private final Map<String, Child> children = new LinkedHashMap<>();
  private final TreeSet<Child> unstable =
      new TreeSet<>(Comparator.comparingLong((Child child) -> child.place));
  private final TreeSet<Child> resting =
      new TreeSet<>(Comparator.comparingLong((Child child) -> child.place));
  private final List<ZoneStep> steps = new ArrayList<>();
  private long places;
  private int present;
  private boolean running;
  private boolean told;
  private @Nullable ZoneStep end;

  public ZoneSupervisor(FailureZone policy, RandomGenerator random) {
    this.policy = policy;
    this.random = random;
    this.window = new Window(policy.intensity());
  }

  // The zone as a whole.

  /** One more child, the last in the order; it is started if the zone runs. */
  public List<ZoneStep> add(String name, SupervisionOptions options, long nowNs) {
    return changed(added(name, options, nowNs), nowNs);
  }

  /** The same with one that runs already. */
  public List<ZoneStep> adopt(String name, SupervisionOptions options, long nowNs) {
    Child child = added(name, options, nowNs);
    present++;
    child.up(nowNs);
    return changed(child, nowNs);
  }

  private Child added(String name, SupervisionOptions options, long nowNs) {
    Child child = new Child(name, options, places++, nowNs);
    if (children.putIfAbsent(name, child) != null) {
      throw new IllegalArgumentException("there is a child \"%s\" already".formatted(name));
    }
    return child;
  }

  /** It was ended for good by its program, and nothing of it is left. */
  public List<ZoneStep> remove(String name, long nowNs) {
    Child child = child(name);
    down(child, nowNs);
    forget(child);
    return step(nowNs);
  }

  private void forget(Child child) {
    children.remove(child.name);
    unstable.remove(child);
    resting.remove(child);
  }

  /** The zone begins. A new life of it has a new supervisor, so nothing is held against that. */
  public List<ZoneStep> start(long nowNs) {
    running = true;
    return step(nowNs);
  }

  /** The zone is to end; {@link ZoneStep.Ended} follows. */
  public List<ZoneStep> stop(long nowNs) {
    if (!running) {
      return List.of(new ZoneStep.Ended()); // also if it has told another end, which is on its way
    }
    endWith(new ZoneStep.Ended());
    return step(nowNs);
  }

  /** Its time is over: what has not stopped yet is to do so now, all at once. */
  public List<ZoneStep> force(long nowNs) {
    if (running && end != null) {
      for (Child child : unstable.descendingSet()) {
        stopNow(child);
      }
    }
    return step(nowNs);
  }

  private void endWith(ZoneStep how) {
    if (end == null || how instanceof ZoneStep.Ended) {
      end = how; // who is told to end does not fail then
    }
    for (Child child : children.values()) {
      child.wanted = false;
      noted(child);
    }
  }

  // What became of a child.

  /** Its start has succeeded. Each of these throws if there is no child of that name. */
  public List<ZoneStep> started(String name, long nowNs) {
    Child child = child(name);
    if (child.state == State.STARTING) {
      child.up(nowNs);
    } else if (child.state == State.DOWN) {
      beganByItself(child, nowNs);
    }
    return changed(child, nowNs);
  }

  /** One that other nodes may run, too: what it rested for, or waited for, is over. */
  private void beganByItself(Child child, long nowNs) {
    present++;
    child.up(nowNs);
    if (end == null) {
      resting.remove(child);
      child.rests = null;
      child.wanted = true;
    }
  }

  /** Nothing of it is left, as it was told. */
  public List<ZoneStep> stopped(String name, long nowNs) {
    Child child = child(name);
    if (child.state == State.STOPPING) {
      down(child, nowNs);
      child.settled = true;
    }
    return changed(child, nowNs);
  }

  /** Whether that child rests until it is resumed. */
  public boolean restsNow(String name) {
    return child(name).rests != null;
  }

  /** It has done what it is for since it was started: if it stays healthy, it is forgiven. */
  public void worked(String name) {
    child(name).worked = true;
  }

  /** It failed, also in its start, and nothing of it is left. */
  public List<ZoneStep> failed(String name, Throwable cause, long nowNs) {
    Child child = child(name);
    boolean wasUp = child.state == State.UP;
    if (isGoing(child, nowNs)) {
      return changed(child, nowNs);
    }
    switch (child.options.rules().decide(cause, policy.rules())) {
      case RESUME -> {
        if (wasUp) {
          child.notBeforeNs = nowNs; // it could not go on, but begins anew at once, uncounted
        } else {
          restart(child, cause, nowNs);
        }
      }
      case RESTART -> restart(child, cause, nowNs);
      case STOP -> done(child);
      case PARK -> rest(child, Failure.message(cause), false);
      case ESCALATE -> escalate(child, cause);
    }
    return changed(child, nowNs);
  }

  /**
   * It has ended by itself, and nothing of it is left; also if it is on its way to stop: then
   * {@link #stopped} does not follow.
   */
  public List<ZoneStep> ended(String name, long nowNs) {
    Child child = child(name);
    boolean going = isGoing(child, nowNs);
    if (child.options.kind() != ChildKind.PERMANENT) {
      down(child, nowNs);
      done(child);
    } else if (!going) {
      restart(child, new IllegalStateException("it ended by itself"), nowNs);
    }
    return changed(child, nowNs);
  }

  /** What it needs was not there: it is tried until it is, and nothing of that counts. */
  public List<ZoneStep> interrupted(String name, Throwable cause, long nowNs) {
    Child child = child(name);
    if (!isGoing(child, nowNs)) {
      Duration delay = child.delayAfterInterruption(random);
      child.notBeforeNs = nowNs + delay.toNanos();
      steps.add(new ZoneStep.Retry(name, cause, delay, child.interruptions()));
      startAgain(with(child), child.notBeforeNs);
    }
    return changed(child, nowNs);
  }

  /** To start it again is of no use, or it is a zone that rests as a whole: until it is resumed. */
  public List<ZoneStep> rests(String name, String why, long nowNs) {
    Child child = child(name);
    if (!isGoing(child, nowNs)) {
      rest(child, why, false);
    }
    return changed(child, nowNs);
  }

  /** It is gone, unless it is told to stop: then only that counts. Whether it was to go. */
  private boolean isGoing(Child child, long nowNs) {
    if (child.state == State.STOPPING || child.state == State.DOWN) {
      return true;
    }
    boolean going = child.isToStop();
    down(child, nowNs);
    child.settled = true;
    return going;
  }

  private void down(Child child, long nowNs) {
    if (child.state != State.DOWN) {
      present--;
    }
    child.down(nowNs);
  }

  private void restart(Child child, Throwable cause, long nowNs) {
    if (child.options.kind() == ChildKind.TEMPORARY) {
      done(child);
      return;
    }
    String over = child.overOwnLimit(nowNs);
    if (over != null) {
      over(child, over, cause, false);
      return;
    } else if (!window.allows(nowNs)) {
      over(child, window.limit(), cause, true);
      return;
    }
    Duration delay = child.delayAfterFailure(random);
    child.notBeforeNs = nowNs + delay.toNanos();
    steps.add(new ZoneStep.Wait(child.name, cause, delay, child.failures()));
    startAgain(with(child), child.notBeforeNs);
  }

  private void startAgain(List<Child> others, long notBeforeNs) {
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

  /** Whether it needs one that rests. */
  private boolean isBlocked(Child child) {
    return !resting.isEmpty()
        && switch (policy.strategy()) {
          case ONE_FOR_ONE -> false;
          case ALL_FOR_ONE -> true;
          case REST_FOR_ONE -> resting.first().place < child.place;
        };
  }

  /** The others that are started again with it. */
  private List<Child> with(Child failed) {
    return switch (policy.strategy()) {
      case ONE_FOR_ONE -> List.of();
      case ALL_FOR_ONE -> children.values().stream().filter(each -> each != failed).toList();
      case REST_FOR_ONE ->
          children.values().stream().filter(each -> each.place > failed.place).toList();
    };
  }

  private void over(Child child, String limit, Throwable cause, boolean zone) {
    LimitAction action =
        zone ? policy.whenOver() : child.options.whenOver().orElse(policy.whenOver());
    switch (action) {
      case ESCALATE -> escalate(child, cause);
      case STOP -> {
        if (zone) {
          endWith(new ZoneStep.Ended());
        } else {
          done(child);
        }
      }
      case PARK -> {
        if (zone) {
          endWith(new ZoneStep.RestAll(limit));
        } else {
          rest(child, limit, false);
        }
      }
    }
  }

  private void escalate(Child child, Throwable cause) {
    steps.add(new ZoneStep.Escalates(child.name));
    endWith(new ZoneStep.Escalate(cause));
  }

  private void rest(Child child, String why, boolean asked) {
    child.wanted = false;
    child.rests = why;
    resting.add(child);
    startAgain(with(child), child.notBeforeNs);
    steps.add(new ZoneStep.Rest(child.name, why, asked));
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
                  children.values().stream()
                      .noneMatch(each -> each.options.significant() && !each.done);
            };
    if (ends) {
      endWith(new ZoneStep.Ended());
    }
  }

  // By an operator.

  /** It is to run, from now on, and nothing is held against it; its backoff, too, is over. */
  public List<ZoneStep> resume(String name, long nowNs) {
    Child child = child(name);
    if (end == null && !child.done && (child.rests != null || child.state == State.DOWN)) {
      child.doomed = child.state != State.DOWN; // its siblings may have gone already
      resting.remove(child);
      forgive(child, nowNs);
    }
    return changed(child, nowNs);
  }

  /** Those that wait for its backoff, and for none of their own, do not either. */
  private void forgive(Child child, long nowNs) {
    long waited = child.notBeforeNs;
    child.forgiven(nowNs);
    for (Child other : waited - nowNs > 0 ? with(child) : List.<Child>of()) {
      if (other.notBeforeNs == waited) {
        other.notBeforeNs = nowNs;
        noted(other);
      }
    }
  }

  /** It is to be started anew, with those that are whenever it fails. */
  public List<ZoneStep> restart(String name, long nowNs) {
    Child child = child(name);
    if (end == null && !child.done) {
      child.doomed = child.state != State.DOWN;
      resting.remove(child);
      forgive(child, nowNs);
      startAgain(with(child), nowNs);
    }
    return changed(child, nowNs);
  }

  /** It is not to run, nor what needs it, until it is resumed. */
  public List<ZoneStep> park(String name, long nowNs) {
    Child child = child(name);
    if (end == null && !child.done && child.rests == null) {
      rest(child, "it was stopped by an operator", true);
    }
    return changed(child, nowNs);
  }

  // What follows.

  /** The time has come that {@link #wakeNs} told; or not, which does no harm. */
  public List<ZoneStep> tick(long nowNs) {
    return step(nowNs);
  }

  /** When it is to be told the time; empty if nothing waits for it. */
  public OptionalLong wakeNs(long nowNs) {
    return unstable.stream()
        .filter(child -> running && child.isToStart() && !isBlocked(child))
        .filter(child -> child.notBeforeNs - nowNs > 0)
        .mapToLong(child -> child.notBeforeNs - nowNs)
        .min()
        .stream()
        .map(wait -> wait + nowNs)
        .findFirst();
  }

  private Child child(String name) {
    Child child = children.get(name);
    if (child == null) {
      throw new IllegalArgumentException("there is no child \"%s\"".formatted(name));
    }
    return child;
  }

  private void noted(Child child) {
    if (child.isStable()) {
      unstable.remove(child);
    } else {
      unstable.add(child);
    }
  }

  private List<ZoneStep> changed(Child child, long nowNs) {
    noted(child);
    if (child.done && child.state == State.DOWN) {
      forget(child);
      steps.add(new ZoneStep.Done(child.name));
    }
    return step(nowNs);
  }

  private List<ZoneStep> step(long nowNs) {
    if (running) {
      stopNext();
      if (end == null) {
        startNext(nowNs);
        tellUp();
      } else if (present == 0) {
        running = false;
        steps.add(end);
      }
    }
    return steps(steps);
  }

  private List<ZoneStep> steps(List<ZoneStep> taken) {
    List<ZoneStep> all = List.copyOf(taken);
    steps.clear();
    return all;
  }

  /** The last one that is to stop, when all behind it have. */
  private void stopNext() {
    for (Child child : unstable.descendingSet()) {
      if (child.isToStop()) {
        stopNow(child);
        return;
      }
    }
  }

  private void stopNow(Child child) {
    if (child.isToStop() && child.state != State.STOPPING) {
      child.state = State.STOPPING;
      steps.add(new ZoneStep.Stop(child.name));
    }
  }

  private void startNext(long nowNs) {
    boolean ordered = policy.strategy() != Strategy.ONE_FOR_ONE;
    if (ordered && unstable.stream().anyMatch(Child::isToStop)) {
      return;
    }
    for (Child child : unstable) {
      if (child.isToStart() && child.notBeforeNs - nowNs <= 0 && !isBlocked(child)) {
        child.state = State.STARTING;
        present++;
        steps.add(new ZoneStep.Start(child.name));
      }
      if (ordered || !child.settled) {
        return; // those behind it may need it
      }
    }
  }

  private void tellUp() {
    boolean up =
        policy.strategy() == Strategy.ONE_FOR_ONE
            ? unstable.stream().allMatch(child -> child.settled)
            : unstable.stream().allMatch(child -> child.isToStart() && isBlocked(child));
    if (up && !told) {
      told = true;
      steps.add(new ZoneStep.Up());
    }
  }
}
