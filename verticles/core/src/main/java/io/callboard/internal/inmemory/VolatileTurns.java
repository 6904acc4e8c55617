package io.callboard.internal.inmemory;

import io.callboard.admin.StatusDetails;
import io.callboard.codecs.ProtocolCodec;
import io.callboard.codecs.TraceContext;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.context.TimedOut;
import io.callboard.internal.lifecycle.ActorHost;
import io.callboard.internal.lifecycle.ActorInstance;
import io.callboard.internal.mailbox.Delivery;
import io.callboard.internal.mailbox.Reply;
import io.callboard.supervision.Failure.Kind;
import io.vertx.core.Future;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Turn loop of one life of a volatile actor: handles its mail message after message, in slices, on
 * its context. Between two slices the other actors of its zone have their turn.
 *
 * <p>A sender that finds it idle schedules it, once ({@link #wake()}); so a burst of messages costs
 * one task on the context. Once its life has ended it does nothing more.
 */
final class VolatileTurns {
  /** Limit of the messages of a slice. */
  private static final int SLICE = 256;

  /** Time in nanoseconds after which a slice ends. */
  private static final long QUANTUM_NANOS = 2_000_000;

  /** Messages between two readings of the clock, where handlers are fast. */
  private static final int LOOK = 16;

  private static final VarHandle SCHEDULED;

  static {
    try {
      SCHEDULED =
          MethodHandles.lookup().findVarHandle(VolatileTurns.class, "scheduled", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final NodeContext node;
  private final ActorHost host;
  private final Owner owner;
  private final ActorInstance actorInstance;
  private final VolatileActorContext scope;
  private final VolatileMail mail;
  private final LifeStash stash;
  private final Runnable slice = this::slice;
  private int handled;
  private int looked;
  private long endNanos;
  private volatile boolean over;

  /** Whether the context became free for the end of this life; if not, it was left behind. */
  private volatile boolean free;

  @SuppressWarnings("unused") // through SCHEDULED
  private volatile boolean scheduled;

  /** Owner of the turns: the runner. */
  interface Owner {
    /** Counts handled messages. */
    void handled(int count);

    /**
     * Reports a failed handler; called on the actor's context.
     *
     * @return whether this life goes on
     */
    boolean failed(VolatileTurns life, Kind kind, Throwable cause);

    /**
     * Reports a failed handler whose message may not be of the actor's protocol: then it is a dead
     * letter, and no failure of the actor.
     *
     * @return whether it is not of the protocol
     */
    boolean isForeign(VolatileTurns life, Object item);

    /** Reports a message that is not handled because its deadline has passed. */
    void overdue(Delivery delivery);
  }

  /** Returns the codec of the actor's protocol. */
  ProtocolCodec<Object> codec() {
    return actorInstance.actor().codec();
  }

  VolatileTurns(
      NodeContext node,
      ActorHost host,
      Owner owner,
      ActorInstance actorInstance,
      VolatileActorContext scope,
      VolatileMail mail,
      LifeStash stash) {
    this.node = node;
    this.host = host;
    this.owner = owner;
    this.actorInstance = actorInstance;
    this.scope = scope;
    this.mail = mail;
    this.stash = stash;
  }

  /** Details for the status of the actor; null if it gives none. */
  @Nullable Record statusDetails() {
    return actorInstance.actor() instanceof StatusDetails reports ? reports.statusDetails() : null;
  }

  /** Stops handling messages. Any thread. */
  void end() {
    over = true;
  }

  /** See {@link ActorInstance#gone()}. */
  Future<Void> gone() {
    return actorInstance.gone();
  }

  /** See {@link ActorInstance#failStart}. */
  void failStart(Throwable cause) {
    actorInstance.failStart(cause);
  }

  /** See {@link ActorInstance#boundStart()}. */
  void boundStart() {
    actorInstance.boundStart();
  }

  /**
   * Ends the life: on its context, fails the ask of the message being handled, hands over the stash
   * while the timers whose messages are stashed still run, and closes the scope; then stops the
   * children, and ends the instance. If the context is not free in time, the life is left behind:
   * its ask is failed, its stash handed over and its scope left without it.
   *
   * @param cause called only if an ask waits
   */
  Future<Void> close(Supplier<? extends Throwable> cause) {
    over = true;
    return actorInstance
        .atLast(
            () -> {
              free = true;
              failCurrent(cause);
              stash.handOver();
              scope.close();
            })
        .onComplete(done -> leaveUnlessFree(cause))
        .compose(v -> host.stopChildren(scope.self().path()))
        .compose(v -> actorInstance.end());
  }

  /** Does for the rest of the actor what a blocked context does not do in time. */
  private void leaveUnlessFree(Supplier<? extends Throwable> cause) {
    if (!free) {
      scope.leave(); // before its children are stopped
      fail(scope.replyAtHand(), cause);
      stash.handOver();
    }
  }

  /**
   * Begins after the start has succeeded. Any thread.
   *
   * @param mail whether there may be mail
   */
  void begin(boolean mail) {
    scope.up();
    if (mail) {
      wake();
    }
  }

  /** Schedules a slice, for there may be mail. Any thread. */
  void wake() {
    if (!scheduled && SCHEDULED.compareAndSet(this, false, true)) {
      actorInstance.run(slice);
    }
  }

  /** Begins a new slice. */
  private void slice() {
    if (scope.isStopping()) {
      return;
    }
    handled = 0;
    looked = 0;
    endNanos = node.nanoTime() + QUANTUM_NANOS;
    goOn();
  }

  private void goOn() {
    scope.guard().enter();
    try {
      handleAll();
    } finally {
      scope.guard().leave();
    }
  }

  private void handleAll() {
    int before = handled;
    boolean goesOn = true;
    while (goesOn && !over) {
      boolean look = isToLook();
      Throwable late = look ? late() : null;
      if (late != null && !goesOnAfter(Kind.OVERDUE, late)) {
        break;
      } else if (handled >= SLICE || (look && looked >= QUANTUM_NANOS / 1_000)) {
        actorInstance.yield(slice);
        break;
      }
      Object next = mail.poll();
      if (next == null) {
        late = look || handled == 0 ? null : late();
        if (late == null || goesOnAfter(Kind.OVERDUE, late)) {
          rest();
        }
        break;
      }
      handled++;
      goesOn = handle(next);
    }
    owner.handled(handled - before);
  }

  /**
   * Returns whether the clock is to be read: before message 1, 2, 4, 8 and 16 and then each {@link
   * #LOOK}th. So slow handlers use up the quantum after the first message, and fast ones do not pay
   * for a reading each.
   */
  private boolean isToLook() {
    return handled > 0
        && (handled % LOOK == 0 || (handled < LOOK && (handled & (handled - 1)) == 0));
  }

  /** Microseconds since the slice began, capped at half an hour. */
  private int elapsedMicros() {
    return (int) Math.min(Integer.MAX_VALUE, (node.nanoTime() - endNanos + QUANTUM_NANOS) / 1_000);
  }

  /**
   * Reads the clock.
   *
   * @return the timeout, if the handlers since the last reading, {@link #LOOK} at most, have held
   *     the thread for longer than one of them may; else null
   */
  private @Nullable Throwable late() {
    int before = looked;
    looked = elapsedMicros();
    return actorInstance.overdue((looked - before) * 1_000L);
  }

  /** Becomes idle; mail that has arrived meanwhile waits for the zone's other actors. */
  private void rest() {
    scheduled = false;
    if (!mail.isMailboxEmpty() && SCHEDULED.compareAndSet(this, false, true)) {
      actorInstance.yield(slice);
    }
  }

  /**
   * Handles a message.
   *
   * @return whether the next can follow at once; if not, it follows elsewhere, or never
   */
  private boolean handle(Object item) {
    Object message = item;
    Reply reply = Reply.NONE;
    TraceContext trace = null;
    if (item instanceof Delivery delivery) {
      if (delivery.isOverdue(node.nanoTime())) {
        owner.overdue(delivery);
        return true;
      } else if (!delivery.redeem()) {
        return true;
      }
      message = delivery.message();
      reply = delivery.reply();
      trace = delivery.trace();
    }
    scope.begin(item, reply, trace);
    Future<?> result;
    try {
      result = actorInstance.receive(message);
    } catch (Throwable failure) {
      if (owner.isForeign(this, item)) {
        Reply unused = scope.fail();
        return !scope.isStopping();
      }
      return goesOnAfter(Kind.THROWN, failure);
    }
    if (result == null || result.succeeded()) {
      IllegalStateException refused = scope.guard().misuse();
      if (refused != null) {
        return goesOnAfter(Kind.THROWN, refused);
      }
      scope.end();
      return !scope.isStopping();
    } else if (result.isComplete()) {
      return goesOnAfter(Kind.THROWN, result.cause());
    }
    Throwable late = late();
    if (late != null) {
      return goesOnAfter(Kind.OVERDUE, late);
    }
    actorInstance.await(result, this::settled);
    return false;
  }

  private boolean goesOnAfter(Kind kind, Throwable failure) {
    return owner.failed(this, kind, failure) && !scope.isStopping();
  }

  private void settled(@Nullable Throwable failure) {
    looked = elapsedMicros(); // its time is bounded elsewhere
    if (over) {
      return;
    }
    Throwable failed = failure == null ? scope.guard().misuse() : failure;
    if (failed == null) {
      scope.end();
    } else if (!owner.failed(this, TimedOut.ofTurn(failed), failed)) {
      return;
    }
    if (!scope.isStopping()) {
      goOn();
    }
  }

  /**
   * Fails the ask of the message being handled, if there is one, and ends its handling. On the
   * context.
   *
   * @param cause called only if there is one
   */
  void failCurrent(Supplier<? extends Throwable> cause) {
    fail(scope.fail(), cause);
  }

  /** Returns whether this thread runs a handler of this life. */
  boolean isInHandler() {
    return scope.guard().isInHandler();
  }

  private static void fail(Reply waiting, Supplier<? extends Throwable> cause) {
    if (waiting != Reply.NONE) {
      waiting.fail(cause.get());
    }
  }
}
