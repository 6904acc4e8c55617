package io.callboard.internal.lifecycle;

import io.callboard.admin.ActorStatus;
import io.callboard.admin.ActorStatus.State;
import io.callboard.admin.MailboxStatus;
import io.callboard.admin.RecoveryStatus;
import io.callboard.codecs.ActorPath;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.context.TransientFailure;
import io.callboard.internal.failurezone.ChildRest;
import io.callboard.internal.supervisor.FailureRing;
import io.callboard.supervision.Directive;
import io.callboard.supervision.Failure;
import io.callboard.supervision.Failure.Kind;
import io.callboard.supervision.InterruptionStreak;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * State, counts and failures of one actor on this node; written by its runner, read by any thread.
 * An actor without failures allocates nothing for them.
 */
public final class ActorHistory {
  private final NodeContext node;
  private final ActorRunner runner;
  private volatile long handled;
  private volatile State state = State.STARTING;

  private volatile @Nullable ChildRest rest;
  private volatile @Nullable ActorPath needs;
  private volatile int restarts;
  private volatile long failures;
  private volatile @Nullable FailureRing ring;
  private volatile @Nullable Failure last;
  private volatile @Nullable Interruptions interruptions;
  private volatile @Nullable Instant nextAttempt;

  /**
   * @param runner notified of changes that may be stored
   */
  ActorHistory(NodeContext node, ActorRunner runner) {
    this.node = node;
    this.runner = runner;
  }

  public synchronized void is(State next) {
    Interruptions before = interruptions;
    if (before != null && next == State.RUNNING) {
      interruptions = before.runs(node.clock().instant());
    } else if (!isToRun(next)) {
      interruptions = null;
    }
    become(next);
    nextAttempt = null;
  }

  /** Changes the state, which the node counts; under the lock. */
  private void become(State next) {
    if (runner.counted) {
      runner.environment.census().moved(runner, state, next);
    }
    state = next;
  }

  /** Counts the actor among those of the node, or no longer. */
  synchronized void counts(boolean here) {
    if (runner.counted == here) {
      return;
    }
    runner.counted = here;
    if (here) {
      runner.environment.census().enters(runner, state);
    } else {
      runner.environment.census().leaves(runner, state);
    }
  }

  private static boolean isToRun(State state) {
    return switch (state) {
      case STARTING, RUNNING, WAITS -> true;
      case FAILED, ELSEWHERE, PASSIVATED, STOPPED, RESTS -> false;
    };
  }

  /** Counts an interruption, and the actor among those of the node that are, if it is here. */
  private synchronized void interrupted(Instant at) {
    if (!isToRun(state)) {
      return; // what was under way ended
    }
    interruptions = Interruptions.after(interruptions, at, handled);
    if (runner.counted) {
      runner.environment.census().interrupted(runner);
    }
  }

  /** Counts the actor among those of the node that fail, if it is here. */
  synchronized void fails() {
    if (runner.counted) {
      runner.environment.census().fails(runner);
    }
  }

  /**
   * Records that the supervisor wants the actor to run: it rests no longer, and waits while no life
   * runs.
   */
  public synchronized void isWanted() {
    if (rest != null) {
      rest = null;
      if (state == State.FAILED || state == State.STOPPED) {
        is(down());
      }
    }
  }

  /**
   * Records that no life runs: the actor waits, or rests if its supervisor or an actor it needs
   * does.
   */
  public synchronized void isDown() {
    is(down());
  }

  private State down() {
    ChildRest now = rest;
    if (now != null) {
      return now.asked() ? State.STOPPED : State.FAILED;
    }
    return needs == null ? State.WAITS : State.RESTS;
  }

  /** Records that an actor it needs rests; null if none does any more. */
  synchronized void needs(@Nullable ActorPath resting) {
    needs = resting;
    boolean waits = state == State.WAITS || state == State.RESTS;
    if (waits || (resting != null && state == State.STARTING)) {
      is(down());
    }
  }

  public @Nullable ActorPath needs() {
    return needs;
  }

  /**
   * Returns the reason for which the actor does not run before something is resumed; null if it
   * runs, or will.
   */
  public @Nullable String whyDown() {
    ChildRest now = rest;
    ActorPath resting = needs;
    return now != null ? now.why() : resting == null ? null : needing(resting);
  }

  /** Returns that the actor is failed, with the cause as far as it is known, as in a sentence. */
  public String failedFor() {
    Failure failure = last;
    return failure == null ? "is failed" : "is failed (%s)".formatted(failure.cause());
  }

  public static String needing(ActorPath resting) {
    return "it needs %s, which is stopped or failed".formatted(resting);
  }

  /** Returns the rest of the actor; null if it does not rest. */
  public @Nullable ChildRest rest() {
    return rest;
  }

  public State state() {
    return state;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate")
  public // one writer: the runner
  void handled(long count) {
    handled += count;
  }

  public long handled() {
    return handled;
  }

  public long failed() {
    return failures;
  }

  boolean hasFailed() {
    return failures > 0;
  }

  /**
   * Records a failure; the supervisor decides what follows, see {@link #waits} and {@link #rests}.
   */
  @SuppressWarnings("NonAtomicVolatileUpdate")
  public // one writer: the runner
  void failed(Kind kind, Throwable cause) {
    failures++;
    Throwable why =
        cause instanceof TransientFailure transientFailure ? transientFailure.why() : cause;
    Failure failure = Failure.brief(node.clock().instant(), kind, why, node.node(), restarts);
    last = failure;
    ring().add(failure, why);
    node.counters().failed(kind);
    if (kind == Kind.INTERRUPTED) {
      interrupted(failure.at());
    }
  }

  /** Returns the interruptions since it last handled a message; null if there are none. */
  @Nullable InterruptionStreak interruptions() {
    Interruptions now = interruptions;
    return now == null ? null : now.at(handled);
  }

  /**
   * Formats the stack of the last failure; called after the supervisor was notified, to delay
   * nothing.
   */
  public void explain() {
    FailureRing now = ring;
    if (now != null) {
      now.explain();
    }
  }

  /** Records an incident that does not end a life, such as a parked message. */
  public void noted(Kind kind, Throwable cause) {
    note(Failure.of(node.clock().instant(), kind, cause, node.node(), restarts));
  }

  /**
   * Records an incident that has no exception.
   *
   * @param where the node
   */
  public void noted(Kind kind, String what, @Nullable String stack, String where) {
    Instant now = node.clock().instant();
    note(new Failure(now, kind, what, stack, where, restarts, 1, null, null));
  }

  private void note(Failure failure) {
    ring().add(failure);
    node.counters().failed(failure.kind());
    runner.historyChanged();
  }

  private synchronized FailureRing ring() {
    FailureRing now = ring;
    if (now == null) {
      now = new FailureRing();
      ring = now;
    }
    return now;
  }

  /** Records the supervisor's decision about the last failure. */
  public void decided(Directive directive, @Nullable Duration delay) {
    FailureRing now = ring;
    if (now != null) {
      now.decided(directive, delay);
      runner.historyChanged();
    }
  }

  /** Adds failures from earlier or from other nodes. */
  public void merge(Collection<Failure> others) {
    if (!others.isEmpty()) {
      ring().merge(others);
    }
  }

  /** Returns the failures, oldest first; the last {@value FailureRing#MOST}. */
  public List<Failure> failures() {
    FailureRing now = ring;
    return now == null ? List.of() : now.all();
  }

  /**
   * Returns the failure after which the supervisor gave the actor up; null if it did not, or the
   * actor has restarted since.
   */
  public @Nullable Failure fatal() {
    FailureRing now = ring;
    return now == null ? null : now.fatal(restarts);
  }

  /** Records that the supervisor ends the life here; there is none if another node owns it. */
  synchronized void falls() {
    if (state != State.ELSEWHERE) {
      isDown();
    }
  }

  /** Records that the actor is restarted after {@code delay}, unless another node owns it now. */
  void waits(Duration delay) {
    synchronized (this) {
      if (state != State.ELSEWHERE) {
        become(State.WAITS);
        nextAttempt = node.clock().instant().plus(delay);
      }
    }
    decided(Directive.RESTART, delay);
  }

  /** Records that the actor is not started again before it is resumed. */
  void rests(ChildRest why) {
    rest = why;
    isDown();
    decided(Directive.PARK, null);
  }

  @SuppressWarnings("NonAtomicVolatileUpdate")
  public // one writer: the runner
  void restarted() {
    restarts++;
    node.counters().restarts.increment();
    runner.supervisor().restarted(runner);
    is(State.STARTING);
  }

  public ActorStatus status(
      ActorPath path,
      String type,
      boolean durable,
      String zone,
      long queued,
      @Nullable MailboxStatus mailbox,
      @Nullable Record details,
      @Nullable RecoveryStatus recovery) {
    Failure failure = last;
    return new ActorStatus(
        path,
        node.node(),
        type,
        durable,
        zone,
        state,
        queued,
        handled,
        failures,
        restarts,
        failure == null ? null : failure.cause(),
        failure == null ? null : failure.at(),
        nextAttempt,
        mailbox,
        details,
        recovery,
        runner.supervisor().zone(),
        needs,
        runner.supervision().kind(),
        runner.budget(),
        runner.failing(),
        runner.interrupted());
  }
}
