package io.callboard.supervision;

import io.callboard.supervision.Child.State;
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
public final class ZoneSupervisor {
  private final FailureZone policy;
  private final RandomGenerator random;
  private final Window window;
  private final Map<String, Child> children = new LinkedHashMap<>();
  private final TreeSet<Child> unstable =
      new TreeSet<>(Comparator.comparingLong((Child child) -> child.place));
  private final TreeSet<Child> resting =
      new TreeSet<>(Comparator.comparingLong((Child child) -> child.place));
  private final List<Step> steps = new ArrayList<>();
  private long places;
  private int present;
  private boolean running;
  private boolean told;
  private @Nullable Step end;

  /** What is to be done. */
  public sealed interface Step {
    /** {@link #started}, {@link #failed} or {@link #ended} follows. */
    record Start(String child) implements Step {}

    /** {@link #stopped} follows, within a bounded time. */
    record Stop(String child) implements Step {}

    /** It does not run until it is resumed. */
    record Rest(String child, String why) implements Step {}

    /** It will not run again. */
    record Done(String child) implements Step {}

    /** The zone runs: each child has been started, or at least tried where they are independent. */
    record Up() implements Step {}

    /** Nothing of the zone runs any more, and the supervisor above is to decide. */
    record Escalate(Throwable cause) implements Step {}

    /** Nothing of the zone runs any more, as it should be. */
    record Ended() implements Step {}

    /** Nothing of the zone runs until it is started again by an operator. */
    record RestAll(String why) implements Step {}
  }

  public ZoneSupervisor(FailureZone policy, RandomGenerator random) {
    this.policy = policy;
    this.random = random;
    this.window = new Window(policy.intensity());
  }

  // The zone as a whole.

  /** One more child, the last in the order; it is started if the zone runs. */
  public List<Step> add(ChildSpec spec, long nowNs) {
    Child child = new Child(spec, places++, nowNs);
    if (children.putIfAbsent(spec.name(), child) != null) {
      throw new IllegalArgumentException("there is a child \"%s\" already".formatted(spec.name()));
    }
    return changed(child, nowNs);
  }

  /** The zone begins. A new life of it has a new supervisor, so nothing is held against that. */
  public List<Step> start(long nowNs) {
    running = true;
    return step(nowNs);
  }

  /** The zone is to end; {@link Step.Ended} follows. */
  public List<Step> stop(long nowNs) {
    if (!running) {
      return List.of(new Step.Ended()); // also if it has told another end, which is on its way
    }
    endWith(new Step.Ended());
    return step(nowNs);
  }

  private void endWith(Step how) {
    if (end == null || how instanceof Step.Ended) {
      end = how; // who is told to end does not fail then
    }
    for (Child child : children.values()) {
      child.wanted = false;
      noted(child);
    }
  }

  // What became of a child.

  /** Its start has succeeded. Each of these throws if there is no child of that name. */
  public List<Step> started(String name, long nowNs) {
    Child child = child(name);
    if (child.state == State.STARTING) {
      child.up(nowNs);
    }
    return changed(child, nowNs);
  }

  /** Nothing of it is left, as it was told. */
  public List<Step> stopped(String name, long nowNs) {
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

  /** Whether it is to go on as if nothing had happened, after that failure. */
  public boolean resumes(Throwable cause) {
    return policy.rules().decide(cause) == Directive.RESUME;
  }

  /** It failed, also in its start, and nothing of it is left. */
  public List<Step> failed(String name, Throwable cause, long nowNs) {
    Child child = child(name);
    if (isGoing(child, nowNs)) {
      return changed(child, nowNs);
    }
    switch (policy.rules().decide(cause)) {
      case RESUME, RESTART -> restart(child, cause, nowNs);
      case STOP -> done(child);
      case PARK -> rest(child, String.valueOf(cause.getMessage()));
      case ESCALATE -> endWith(new Step.Escalate(cause));
    }
    return changed(child, nowNs);
  }

  /** It has ended by itself, and nothing of it is left. */
  public List<Step> ended(String name, long nowNs) {
    Child child = child(name);
    if (isGoing(child, nowNs)) {
      return changed(child, nowNs);
    } else if (child.spec.kind() == ChildKind.PERMANENT) {
      restart(child, new IllegalStateException("it ended by itself"), nowNs);
    } else {
      done(child);
    }
    return changed(child, nowNs);
  }

  /** What it needs was not there: it is tried until it is, and nothing of that counts. */
  public List<Step> interrupted(String name, long nowNs) {
    Child child = child(name);
    if (!isGoing(child, nowNs)) {
      child.notBeforeNs = nowNs + child.delayAfterInterruption(random);
      startAgain(with(child), child.notBeforeNs);
    }
    return changed(child, nowNs);
  }

  /** It is a zone that rests as a whole, until it is resumed. */
  public List<Step> rests(String name, String why, long nowNs) {
    Child child = child(name);
    if (!isGoing(child, nowNs)) {
      rest(child, why);
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
    if (child.spec.kind() == ChildKind.TEMPORARY) {
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
    long again = nowNs + child.delayAfterFailure(random);
    child.notBeforeNs = again;
    startAgain(with(child), again);
  }

  private void startAgain(List<Child> others, long notBeforeNs) {
    for (Child other : others) {
      if (other.spec.kind() == ChildKind.TEMPORARY && other.state != State.DOWN) {
        other.wanted = false;
        other.done = true;
        steps.add(new Step.Done(other.spec.name()));
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
    switch (policy.whenOver()) {
      case ESCALATE -> endWith(new Step.Escalate(cause));
      case STOP -> {
        if (zone) {
          endWith(new Step.Ended());
        } else {
          done(child);
        }
      }
      case PARK -> {
        if (zone) {
          endWith(new Step.RestAll(limit));
        } else {
          rest(child, limit);
        }
      }
    }
  }

  private void rest(Child child, String why) {
    child.wanted = false;
    child.rests = why;
    resting.add(child);
    startAgain(with(child), child.notBeforeNs);
    steps.add(new Step.Rest(child.spec.name(), why));
  }

  private void done(Child child) {
    child.wanted = false;
    child.done = true;
    steps.add(new Step.Done(child.spec.name()));
    boolean ends =
        child.spec.significant()
            && switch (policy.endsWith()) {
              case NONE -> false;
              case ANY -> true;
              case ALL ->
                  children.values().stream()
                      .noneMatch(each -> each.spec.significant() && !each.done);
            };
    if (ends) {
      endWith(new Step.Ended());
    }
  }

  // By an operator.

  /** It is to run, from now on, and nothing is held against it. */
  public List<Step> resume(String name, long nowNs) {
    Child child = child(name);
    if (end == null && child.rests != null) {
      child.doomed = child.state != State.DOWN; // its siblings may have gone already
      resting.remove(child);
      child.forgiven(nowNs);
    }
    return changed(child, nowNs);
  }

  /** It is to be started anew, with those that are whenever it fails. */
  public List<Step> restart(String name, long nowNs) {
    Child child = child(name);
    if (end == null) {
      child.doomed = child.state != State.DOWN;
      resting.remove(child);
      child.forgiven(nowNs);
      startAgain(with(child), nowNs);
    }
    return changed(child, nowNs);
  }

  /** It is not to run, nor what needs it, until it is resumed. */
  public List<Step> stop(String name, long nowNs) {
    Child child = child(name);
    if (end == null && child.rests == null) {
      rest(child, "it was stopped by an operator");
    }
    return changed(child, nowNs);
  }

  // What follows.

  /** The time has come that {@link #wakeNs} told; or not, which does no harm. */
  public List<Step> tick(long nowNs) {
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

  private List<Step> changed(Child child, long nowNs) {
    noted(child);
    if (child.spec.kind() == ChildKind.TEMPORARY && child.done && child.state == State.DOWN) {
      children.remove(child.spec.name()); // for good
    }
    return step(nowNs);
  }

  private List<Step> step(long nowNs) {
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

  private List<Step> steps(List<Step> taken) {
    List<Step> all = List.copyOf(taken);
    steps.clear();
    return all;
  }

  /** The last one that is to stop, when all behind it have. */
  private void stopNext() {
    for (Child child : unstable.descendingSet()) {
      if (child.isToStop()) {
        if (child.state != State.STOPPING) {
          child.state = State.STOPPING;
          steps.add(new Step.Stop(child.spec.name()));
        }
        return;
      }
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
        steps.add(new Step.Start(child.spec.name()));
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
      steps.add(new Step.Up());
    }
  }
}
