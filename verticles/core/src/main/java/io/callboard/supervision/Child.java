package io.callboard.supervision;

import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** One child of a {@link ZoneSupervisor}: what it is, and what it is to be. Not thread-safe. */
final class Child {
  final ChildSpec spec;

  /** Its place in the order of starts. */
  final long place;

  private final Optional<Window> own;
  private long failures;
  private long interruptions;
  private long upSinceNs;

  State state = State.DOWN;

  /** Whether it is to run. */
  boolean wanted = true;

  /** Whether this life of it is to end, though it is to run. */
  boolean doomed;

  /** Whether the outcome of its first start is known. */
  boolean settled;

  /** Not to be started before. */
  long notBeforeNs;

  /** Whether it is over for good, by itself or by a directive. */
  boolean done;

  /** Why it rests until it is resumed; null if it does not. */
  @Nullable String rests;

  /** What a child is. */
  enum State {
    /** Nothing of it is there. */
    DOWN,
    STARTING,
    UP,
    STOPPING
  }

  Child(ChildSpec spec, long place, long nowNs) {
    this.spec = spec;
    this.place = place;
    this.notBeforeNs = nowNs;
    this.own = spec.intensity().map(Window::new);
  }

  /** It is as it is to be. */
  boolean isStable() {
    return wanted ? state == State.UP && !doomed : state == State.DOWN;
  }

  boolean isToStop() {
    return state == State.STOPPING || ((!wanted || doomed) && state != State.DOWN);
  }

  boolean isToStart() {
    return wanted && state == State.DOWN;
  }

  void up(long nowNs) {
    state = State.UP;
    settled = true;
    upSinceNs = nowNs;
  }

  void down(long nowNs) {
    if (state == State.UP && nowNs - upSinceNs >= spec.resetAfter().toNanos()) {
      failures = 0;
      interruptions = 0;
    }
    state = State.DOWN;
    doomed = false;
  }

  /** Null if one more restart is within its own limit; it counts then. */
  @Nullable String overOwnLimit(long nowNs) {
    return own.isPresent() && !own.get().allows(nowNs) ? own.get().limit() : null;
  }

  long delayAfterFailure(RandomGenerator random) {
    return spec.backoff().delay(++failures, random).toNanos();
  }

  long delayAfterInterruption(RandomGenerator random) {
    return Supervisor.AFTER_INTERRUPTION.delay(++interruptions, random).toNanos();
  }

  /** An operator, or a new life of its zone, forgives it. */
  void forgiven(long nowNs) {
    failures = 0;
    interruptions = 0;
    notBeforeNs = nowNs;
    rests = null;
    done = false;
    wanted = true;
    own.ifPresent(Window::clear);
  }
}
