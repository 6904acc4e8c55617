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
import io.callboard.internal.mailbox.VolatileMailbox;
import io.callboard.supervision.Failure.Kind;
import io.vertx.core.Future;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Handles the mail of a volatile actor through one of its lives: message after message, in slices,
 * on its context. Between two slices the other actors of its zone have their turn.
 *
 * <p>Who finds it idle schedules it, once ({@link #wake()}); so a burst of messages costs one task
 * on the context. Once its life is over nothing of it happens any more.
 */
final class VolatileTurns {
  /** Messages of a slice, at most. */
  private static final int SLICE = 256;

  /** Time after which a slice ends. */
  private static final long QUANTUM_NANOS = 2_000_000;

  /** Messages between two looks at the clock, where handlers are fast. */
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
  private final VolatileMailbox mailbox;
  private final Runnable slice = this::slice;
  private int handled;
  private int looked;
  private long endNanos;
  private volatile boolean over;

  @SuppressWarnings("unused") // through SCHEDULED
  private volatile boolean scheduled;

  /** Whose turns they are. */
  interface Owner {
    /** The next of what was put aside and taken up again; null if there is none. */
    @Nullable Object unstashed();

    /** So many more messages were handled. */
    void handled(int count);

    /**
     * A handler failed. Called on the actor's context.
     *
     * @return whether that life goes on
     */
    boolean failed(VolatileTurns life, Kind kind, Throwable cause);

    /** A message that is not handled because its deadline has passed. */
    void overdue(Delivery delivery);
  }

  /** Reads what its actor can be told. */
  ProtocolCodec<Object> codec() {
    return actorInstance.actor().codec();
  }

  VolatileTurns(
      NodeContext node,
      ActorHost host,
      Owner owner,
      ActorInstance actorInstance,
      VolatileActorContext scope,
      VolatileMailbox mailbox) {
    this.node = node;
    this.host = host;
    this.owner = owner;
    this.actorInstance = actorInstance;
    this.scope = scope;
    this.mailbox = mailbox;
  }

  /** Null if it guards nobody. */
  @Nullable Record statusDetails() {
    return actorInstance.actor() instanceof StatusDetails reports ? reports.statusDetails() : null;
  }

  /** Nothing more is handled. Any thread. */
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

  /** Ends the life with its object: the scope, then what it started, then itself. */
  Future<Void> close() {
    over = true;
    return actorInstance
        .atLast(scope::close)
        .compose(v -> host.stopChildren(scope.self().path()))
        .compose(v -> actorInstance.end());
  }

  /** The start has succeeded; there may be mail. Any thread. */
  void begin(boolean mail) {
    scope.up();
    if (mail) {
      wake();
    }
  }

  /** There may be mail. Any thread. */
  void wake() {
    if (!scheduled && SCHEDULED.compareAndSet(this, false, true)) {
      actorInstance.run(slice);
    }
  }

  /** A fresh one. */
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
      Object next = next();
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
   * The clock is looked at before message 1, 2, 4, 8 and 16 and then each {@link #LOOK}th: handlers
   * that are slow have used up the quantum after the first, fast ones do not pay for a clock each.
   */
  private boolean isToLook() {
    return handled > 0
        && (handled % LOOK == 0 || (handled < LOOK && (handled & (handled - 1)) == 0));
  }

  /** Since the slice began; of one that lasts for half an hour, that is what it lasts. */
  private int elapsedMicros() {
    return (int) Math.min(Integer.MAX_VALUE, (node.nanoTime() - endNanos + QUANTUM_NANOS) / 1_000);
  }

  /**
   * Looks at the clock: the failure, if the handlers since the last look, {@link #LOOK} at most,
   * have held the thread for longer than one of them may.
   */
  private @Nullable Throwable late() {
    int before = looked;
    looked = elapsedMicros();
    return actorInstance.overdue((looked - before) * 1_000L);
  }

  private @Nullable Object next() {
    Object next = owner.unstashed();
    return next == null ? mailbox.poll() : next;
  }

  /** Nothing waits; what comes meanwhile waits for the zone's other actors. */
  private void rest() {
    scheduled = false;
    if (!mailbox.isEmpty() && SCHEDULED.compareAndSet(this, false, true)) {
      actorInstance.yield(slice);
    }
  }

  /** Whether the next can follow at once; if not, it follows elsewhere, or never. */
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
   * Tells who waits for the answer to the message at hand. On the context, or after its end.
   *
   * @param cause made only if somebody waits
   */
  void failCurrent(Supplier<? extends Throwable> cause) {
    Reply waiting = scope.fail();
    if (waiting != Reply.NONE) {
      waiting.fail(cause.get());
    }
  }
}
