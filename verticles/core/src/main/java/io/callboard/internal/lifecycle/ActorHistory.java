package io.callboard.internal.lifecycle;

import io.callboard.admin.ActorStatus;
import io.callboard.admin.ActorStatus.State;
import io.callboard.admin.MailboxStatus;
import io.callboard.admin.RecoveryStatus;
import io.callboard.codecs.ActorPath;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.context.TransientFailure;
import io.callboard.internal.supervisor.FailureRing;
import io.callboard.internal.supervisor.Supervised.Rest;
import io.callboard.supervision.Directive;
import io.callboard.supervision.Failure;
import io.callboard.supervision.Failure.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How an actor has fared in this node; written by its runner, read by anybody. An actor without
 * failures has none of what tells of them.
 */
public final class ActorHistory {
  private final NodeContext node;
  private final ActorRunner runner;
  private volatile long handled;
  private volatile State state = State.STARTING;

  private volatile @Nullable Rest rest;
  private volatile @Nullable ActorPath needs;
  private volatile int restarts;
  private volatile long failures;
  private volatile @Nullable FailureRing ring;
  private volatile @Nullable Failure last;
  private volatile @Nullable Instant nextAttempt;

  /**
   * @param runner is told when there is something that may be kept
   */
  ActorHistory(NodeContext node, ActorRunner runner) {
    this.node = node;
    this.runner = runner;
  }

  public synchronized void is(State next) {
    state = next;
    nextAttempt = null;
  }

  /** Its supervisor wants it to run: while nothing of it is there, it waits for that. */
  public synchronized void isWanted() {
    if (rest != null) {
      rest = null;
      if (state == State.FAILED || state == State.STOPPED) {
        is(down());
      }
    }
  }

  /** Nothing of it runs: it waits, or rests if its supervisor wants that, or what it needs does. */
  public synchronized void isDown() {
    is(down());
  }

  private State down() {
    Rest now = rest;
    if (now != null) {
      return now.asked() ? State.STOPPED : State.FAILED;
    }
    return needs == null ? State.WAITS : State.RESTS;
  }

  /** Nothing of it runs, and something that it needs rests; null if that is over. */
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

  /** Why it does not run before somebody resumes something; null if it does, or will. */
  public @Nullable String whyDown() {
    Rest now = rest;
    ActorPath resting = needs;
    return now != null ? now.why() : resting == null ? null : needing(resting);
  }

  public static String needing(ActorPath resting) {
    return "it needs %s, which rests".formatted(resting);
  }

  /** Why it rests; null if it does not. */
  public @Nullable Rest rest() {
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

  /** It failed; its supervisor decides what follows, see {@link #waits} and {@link #rests}. */
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
  }

  /** Once its supervisor knows of the last failure, there is time for the text of its stack. */
  public void explain() {
    FailureRing now = ring;
    if (now != null) {
      now.explain();
    }
  }

  /** Something went wrong that is no failure of its own: a message is parked. */
  public void noted(Kind kind, Throwable cause) {
    note(Failure.of(node.clock().instant(), kind, cause, node.node(), restarts));
  }

  /**
   * The same of what has no cause to throw.
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

  /** What its supervisor decided about the last failure. */
  public void decided(Directive directive, @Nullable Duration delay) {
    FailureRing now = ring;
    if (now != null) {
      now.decided(directive, delay);
      runner.historyChanged();
    }
  }

  /** What is known of it from before, or from other nodes. */
  public void merge(Collection<Failure> others) {
    if (!others.isEmpty()) {
      ring().merge(others);
    }
  }

  /** Oldest first, the last {@value FailureRing#MOST}. */
  public List<Failure> failures() {
    FailureRing now = ring;
    return now == null ? List.of() : now.all();
  }

  /** The failure after which its supervisor gave it up; null if it has begun anew, or was not. */
  public @Nullable Failure fatal() {
    FailureRing now = ring;
    return now == null ? null : now.fatal(restarts);
  }

  /** It is started again in {@code delay}. */
  void waits(Duration delay) {
    synchronized (this) {
      state = State.WAITS;
      nextAttempt = node.clock().instant().plus(delay);
    }
    decided(Directive.RESTART, delay);
  }

  /** It is not started again before it is resumed. */
  void rests(Rest why) {
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
        runner.budget());
  }
}
