package io.callboard.internal.failurezone;

import io.callboard.supervision.Backoff;
import io.callboard.supervision.Retries;
import io.callboard.supervision.SupervisionOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** State of one child of a {@link FailureZoneMachine}: present and wanted. Not thread-safe. */
final class Child {
  final String name;

  SupervisionOptions options;

  /** Place of the child in the order of starts. */
  final long place;

  /** Backoff after interruptions, for which a child is not to blame. */
  private static final Backoff AFTER_INTERRUPTION =
      Backoff.exponential(Duration.ofMillis(200), Duration.ofSeconds(5));

  private Optional<RestartWindow> own;
  private Retries failures;
  private Retries interruptions = AFTER_INTERRUPTION.begin();

  /** Streak of failures; may be read by any thread. */
  final Streak streak = new Streak();

  State state = State.DOWN;

  /** True if the child is to run. */
  boolean wanted = true;

  /** True if this life is to end, though the child is to run. */
  boolean doomed;

  /** True if the outcome of its first start is known. */
  boolean settled;

  /** Time before which it is not started. */
  long notBeforeNs;

  /** True if the child has ended for good, by itself or by a directive. */
  boolean done;

  /** Rest of the child until it is resumed; null if it does not rest. */
  @Nullable ChildRest rests;

  /** The resting sibling that it waits for, as last reported; null if there is none. */
  @Nullable String needs;

  /** Present state of a child. */
  enum State {
    /** State of a child of which nothing runs. */
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
   * Applies other options. Counts are kept: restarts under the new intensity, failures in a row
   * under the new backoff, which is first used after the next failure.
   */
  void treatedBy(SupervisionOptions other) {
    options = other;
    failures = failures.with(other.backoff());
    Optional<RestartWindow> kept = own;
    own = other.intensity().map(limit -> kept.orElseGet(() -> new RestartWindow(limit)));
    other.intensity().ifPresent(limit -> own.ifPresent(window -> window.limit(limit)));
  }

  /** Returns whether the child is in its wanted state. */
  boolean isStable() {
    return wanted ? state == State.UP && !doomed : state == State.DOWN;
  }

  boolean isToStop() {
    return state == State.STOPPING || ((!wanted || doomed) && state != State.DOWN);
  }

  /** Returns whether the child is down, or is to stop first, and is to start then. */
  boolean isToWait() {
    return wanted && (isToStop() || isToStart());
  }

  boolean isToStart() {
    return wanted && state == State.DOWN;
  }

  void up(long nowNs) {
    state = State.UP;
    settled = true;
    streak.up(nowNs);
  }

  void down(long nowNs) {
    if (streak.down(options.resetAfter(), nowNs)) {
      beginAnew();
    }
    state = State.DOWN;
    doomed = false;
  }

  private void beginAnew() {
    streak.over();
    failures = failures.reset();
    interruptions = interruptions.reset();
  }

  /**
   * Counts a restart against the child's own limit.
   *
   * @return the limit that it would exceed; null if it is within
   */
  @Nullable String overOwnLimit(long nowNs) {
    return own.isPresent() && !own.get().allows(nowNs) ? own.get().limit() : null;
  }

  /** Returns the restart window of the child's own; null if it has none. */
  @Nullable RestartWindow window() {
    return own.orElse(null);
  }

  /** Returns the number of failures in a row so far. */
  long failures() {
    return streak.failures();
  }

  long interruptions() {
    return interruptions.retries();
  }

  Duration delayAfterFailure(RandomGenerator random) {
    streak.failed();
    failures = failures.next(random);
    return failures.delay();
  }

  Duration delayAfterInterruption(RandomGenerator random) {
    interruptions = interruptions.next(random);
    return interruptions.delay();
  }

  /** Resets the backoff: the child reports itself healthy, or runs elsewhere. */
  void isWell() {
    beginAnew();
  }

  /** Forgives the child, for an operator or a new life of its zone. */
  void forgiven(long nowNs) {
    beginAnew();
    notBeforeNs = nowNs;
    rests = null;
    done = false;
    wanted = true;
    own.ifPresent(RestartWindow::clear);
  }
}
