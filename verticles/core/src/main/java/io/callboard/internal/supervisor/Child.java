package io.callboard.internal.supervisor;

import io.callboard.supervision.Backoff;
import io.callboard.supervision.Retries;
import io.callboard.supervision.SupervisionOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** One child of a {@link FailureZoneMachine}: what it is, and what it is to be. Not thread-safe. */
final class Child {
  final String name;

  SupervisionOptions options;

  /** Its place in the order of starts. */
  final long place;

  /** For what a child is not to blame for. */
  private static final Backoff AFTER_INTERRUPTION =
      Backoff.exponential(Duration.ofMillis(200), Duration.ofSeconds(5));

  private Optional<RestartWindow> own;
  private Retries failures;
  private Retries interruptions = AFTER_INTERRUPTION.begin();
  private long failuresInARow;
  private long upSinceNs;

  State state = State.DOWN;

  /** Whether it is to run. */
  boolean wanted = true;

  /** Whether this life of it is to end, though it is to run. */
  boolean doomed;

  /** Whether it did what it is for in this life. */
  boolean worked;

  /** Whether the outcome of its first start is known. */
  boolean settled;

  /** Not to be started before. */
  long notBeforeNs;

  /** Whether it is over for good, by itself or by a directive. */
  boolean done;

  /** Why it rests until it is resumed; null if it does not. */
  Supervised.@Nullable Rest rests;

  /** The sibling that rests and that it waits for, as was told last; null if it waits for none. */
  @Nullable String needs;

  /** What a child is. */
  enum State {
    /** Nothing of it is there. */
    DOWN,
    STARTING,
    UP,
    STOPPING
  }

  Child(String name, SupervisionOptions options, long place, long nowNs) {
    this.name = name;
    this.options = options;
    this.place = place;
    this.notBeforeNs = nowNs;
    this.failures = options.backoff().begin();
    this.own = options.intensity().map(RestartWindow::new);
  }

  /**
   * It is treated by others from now on. What was counted stays counted: restarts under the new
   * intensity, failures in a row under the new backoff, whose first use is after the next failure.
   */
  void treatedBy(SupervisionOptions other) {
    options = other;
    failures = failures.with(other.backoff());
    Optional<RestartWindow> kept = own;
    own = other.intensity().map(limit -> kept.orElseGet(() -> new RestartWindow(limit)));
    other.intensity().ifPresent(limit -> own.ifPresent(window -> window.limit(limit)));
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
    worked = false;
    upSinceNs = nowNs;
  }

  void down(long nowNs) {
    boolean healthy = nowNs - upSinceNs >= options.resetAfter().toNanos();
    if (state == State.UP && healthy && worked) {
      beginAnew();
    }
    state = State.DOWN;
    doomed = false;
  }

  private void beginAnew() {
    failuresInARow = 0;
    failures = failures.reset();
    interruptions = interruptions.reset();
  }

  /** Null if one more restart is within its own limit; it counts then. */
  @Nullable String overOwnLimit(long nowNs) {
    return own.isPresent() && !own.get().allows(nowNs) ? own.get().limit() : null;
  }

  /** The window of its own; null if it has none. */
  @Nullable RestartWindow window() {
    return own.orElse(null);
  }

  /** In a row, so far. */
  long failures() {
    return failuresInARow;
  }

  long interruptions() {
    return interruptions.retries();
  }

  Duration delayAfterFailure(RandomGenerator random) {
    failuresInARow++;
    failures = failures.next(random);
    return failures.delay();
  }

  Duration delayAfterInterruption(RandomGenerator random) {
    interruptions = interruptions.next(random);
    return interruptions.delay();
  }

  /** It says itself that it is well: its next wait is as the first one. */
  void isWell() {
    beginAnew();
  }

  /** An operator, or a new life of its zone, forgives it. */
  void forgiven(long nowNs) {
    beginAnew();
    notBeforeNs = nowNs;
    rests = null;
    done = false;
    wanted = true;
    own.ifPresent(RestartWindow::clear);
  }
}
