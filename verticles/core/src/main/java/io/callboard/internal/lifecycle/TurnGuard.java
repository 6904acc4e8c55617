package io.callboard.internal.lifecycle;

import io.callboard.codecs.ActorPath;
import io.callboard.internal.context.ContextPromise;
import io.callboard.internal.context.TurnOrigin;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Guard that tells which calls of one started actor object belong to the open turn, and refuses the
 * others. A call belongs to it if it is made by the handler itself, or from what the handler has
 * begun on the turn's own context, a duplicate of the actor's: Vert.x completes there what was
 * asked for there. A call from an earlier turn, from the start or from another thread does not
 * belong to it, though it may run while the turn is open, or even inside its handler.
 *
 * <p>Only turns that may stay open after their handler has returned have a context of their own.
 * Used on the actor's context; any thread may ask, and only the actor's own thread can belong to
 * the turn.
 */
public final class TurnGuard {
  /** Futures that were made complete, so that their callbacks run where they are given. */
  private static final Set<Class<?>> COMPLETE =
      Set.of(Future.succeededFuture().getClass(), Future.failedFuture("").getClass());

  private final ActorPath actor;
  private final boolean always;
  private final Subject subject;
  private @Nullable ContextInternal root;
  private boolean named;

  /** Thread that runs handlers now; no other thread can equal it. */
  private @Nullable Thread handler;

  private @Nullable ContextInternal own;
  private @Nullable Misuse misuse;

  /** Refused call that may have been meant for the turn of that message. */
  private record Misuse(Object message, IllegalStateException refusal) {}

  /** Subject of a guard: the context of the actor. */
  public interface Subject {
    /** Returns the message whose turn is open; null if none is. Any thread may call this. */
    @Nullable Object atHand();

    /** Records a refusal, on the thread of the call, whose code may drop the exception. */
    void refused(IllegalStateException refusal);
  }

  /**
   * @param always whether each turn has a context of its own
   */
  TurnGuard(ActorPath actor, boolean always, Subject subject) {
    this.actor = actor;
    this.always = always;
    this.subject = subject;
  }

  /** Sets the actor's context. */
  void runsOn(ContextInternal context) {
    root = context;
    named = TurnOrigin.isKept(context);
  }

  /** Returns the root context of the actor's life; null before it has one. */
  @Nullable ContextInternal root() {
    return root;
  }

  /** Marks this thread as running handlers, one or several after each other, and nothing else. */
  public void enter() {
    handler = Thread.currentThread();
  }

  /** Ends {@link #enter()}: the handlers have returned. */
  public void leave() {
    handler = null;
  }

  /**
   * Returns the failure of the turn although its handler may have succeeded: a call was refused
   * that may have been the turn's own, so the turn would be stored or answered incompletely. Null
   * if there was none.
   */
  public @Nullable IllegalStateException misuse() {
    Misuse last = misuse;
    if (last == null) {
      return null;
    }
    misuse = null;
    return last.message() == subject.atHand() ? last.refusal() : null;
  }

  /** Ends the turn with its future. */
  void ends() {
    own = null;
  }

  /**
   * Runs the handler of the message at hand, which may return a future, in a context of its own.
   */
  @Nullable Future<?> inOwnContext(Supplier<? extends @Nullable Future<?>> handle) {
    ContextInternal actors = root;
    Object message = subject.atHand();
    if (actors == null || message == null || own != null) {
      return handle.get();
    }
    ContextInternal turn = actors.duplicate();
    if (named) {
      TurnOrigin.put(turn, message.getClass());
    }
    own = turn;
    ContextInternal before = turn.beginDispatch();
    Future<?> result;
    try {
      result = handle.get();
    } finally {
      turn.endDispatch(before);
    }
    return result == null ? null : afterItsCallbacks(result, turn);
  }

  /**
   * Returns a future that completes after the callbacks that the handler gave to {@code result}.
   * Another thread may complete the handler's future at any moment, and then hands its callbacks
   * over to the turn's context; the turn is to wait for them.
   */
  private static Future<?> afterItsCallbacks(Future<?> result, ContextInternal turn) {
    if (COMPLETE.contains(result.getClass())) {
      return result;
    }
    Promise<Object> after = turn.promise();
    AtomicBoolean given = new AtomicBoolean();
    result.onComplete(
        outcome -> {
          if (given.get()) {
            complete(after, outcome);
          } else { // it was complete already: its callbacks may wait for the context
            turn.runOnContext(v -> complete(after, outcome));
          }
        });
    given.set(true);
    return after.future();
  }

  private static void complete(Promise<Object> after, AsyncResult<?> outcome) {
    if (outcome.succeeded()) {
      after.complete(outcome.result());
    } else {
      after.fail(outcome.cause());
    }
  }

  /** Returns whether the handler itself makes the call, or what it calls. */
  public boolean isInHandler() {
    return handler == Thread.currentThread();
  }

  /** Returns whether the call belongs to the turn that is open. */
  public boolean isInTurn() {
    ContextInternal open = own;
    ContextInternal here = ContextInternal.current();
    return handler == Thread.currentThread()
        ? here == open || !isOfSomeTurn(here)
        : open != null && here == open && open.inThread();
  }

  /**
   * Returns whether the call belongs to some turn: a handler that completes what an earlier turn
   * waits for runs that turn's callbacks inside itself, in the context of that turn.
   */
  private boolean isOfSomeTurn(@Nullable ContextInternal here) {
    return here != null
        && here != root
        && here.unwrap() == root
        && (!named || TurnOrigin.get(here) != null);
  }

  /**
   * Requires the open turn.
   *
   * @throws IllegalStateException if the call does not belong to it
   */
  public void needTurn(String what) {
    if (!isInTurn()) {
      throw refusal("%s of %s outside of a turn: %s".formatted(what, actor, right()));
    }
  }

  /**
   * Returns whether the open turn itself may have made the call: it comes from another thread; or,
   * where each turn has its context, from none of these; or from inside its handler, which may also
   * have asked what an earlier turn has begun.
   */
  private boolean mayBeOf() {
    ContextInternal here = ContextInternal.current();
    return !isActors(here) || (always && here == root) || isInHandler();
  }

  /**
   * Requires the actor's context, with or without an open turn.
   *
   * @throws IllegalStateException on another thread than the actor's
   */
  public void needActor(String what) {
    if (handler != Thread.currentThread() && !isActors(ContextInternal.current())) {
      throw refusal(
          "%s of %s from thread %s, which is not the actor's: %s"
              .formatted(
                  what,
                  actor,
                  Thread.currentThread().getName(),
                  "go back to it with inTurn(future) or pipeToSelf(future, …), or tell through a"
                      + " ref, which any thread may"));
    }
  }

  private boolean isActors(@Nullable ContextInternal here) {
    return here != null && here.unwrap() == root && here.inThread();
  }

  /** Returns a promise of what the open turn waits for; it completes in the turn's context. */
  <T> Promise<T> promise() {
    ContextInternal open = own;
    return open == null ? Promise.promise() : new ContextPromise<>(open);
  }

  private IllegalStateException refusal(String text) {
    IllegalStateException refusal = new IllegalStateException(text);
    Object open = subject.atHand();
    if (open != null && mayBeOf()) {
      misuse = new Misuse(open, refusal);
    }
    subject.refused(refusal);
    return refusal;
  }

  /** Explains why the call does not belong to the open turn, and what to do. */
  private String right() {
    Object now = subject.atHand();
    String meanwhile =
        now == null ? "" : ", while %s is being handled".formatted(name(now.getClass()));
    ContextInternal here = ContextInternal.current();
    if (!isActors(here)) {
      return "it came from thread %s, which is not the actor's%s; %s"
          .formatted(
              Thread.currentThread().getName(),
              meanwhile,
              "let it complete a future, and go on with inTurn(future) in a handler that returns"
                  + " it, or with pipeToSelf(future, …)");
    }
    Class<?> origin = here == null || !named ? null : TurnOrigin.get(here);
    String waits =
        "a handler that waits is declared with on.async(%s.class, …) and returns its future, which"
            + " keeps its turn open";
    String other = "or use pipeToSelf(future, …)";
    return origin == null
        ? "no handler waits for the code that made the call, such as the start or the verticle's context%s; %s; the outcome of other work comes into"
                .formatted(meanwhile, waits.formatted(now == null ? "…" : name(now.getClass())))
            + " it with inTurn(future), "
            + other
        : "the turn of %s, which made the call, has ended%s; %s, %s"
            .formatted(name(origin), meanwhile, waits.formatted(name(origin)), other);
  }

  private static String name(Class<?> message) {
    return message.getSimpleName();
  }
}
