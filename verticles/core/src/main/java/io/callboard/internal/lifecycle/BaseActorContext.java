package io.callboard.internal.lifecycle;

import io.callboard.Actor;
import io.callboard.ActorContext;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.TellOptions;
import io.callboard.Terminated;
import io.callboard.codecs.TraceContext;
import io.callboard.internal.mailbox.Delivery;
import io.callboard.internal.mailbox.Reply;
import io.callboard.internal.messaging.ActorRefImpl;
import io.callboard.internal.messaging.MessageSender;
import io.callboard.internal.messaging.PendingAsks;
import io.callboard.internal.messaging.SendingActor;
import io.callboard.internal.turn.Turn;
import io.callboard.supervision.Causes;
import io.callboard.time.Time;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Context of one started actor object, volatile or durable: what both kinds have in common. Used on
 * the actor's context only.
 */
public abstract class BaseActorContext implements ActorContext, SendingActor, TurnGuard.Subject {
  private static final Logger log = LoggerFactory.getLogger(BaseActorContext.class);
  private static final VarHandle REPLY;

  static {
    try {
      REPLY = MethodHandles.lookup().findVarHandle(BaseActorContext.class, "reply", Reply.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  public final ActorEnvironment environment;
  private final ActorRefImpl<?> self;
  private final ContextOwner owner;
  private final TurnGuard guard;
  private @Nullable WatchedActors watched;
  private @Nullable Timers timers;
  private @Nullable ReceiveTimeout idle;

  /** Written on the actor's context, and released, for {@link #unusedReply} reads it elsewhere. */
  private Reply reply = Reply.NONE;

  private @Nullable TraceContext trace;
  private @Nullable List<PendingAsks.Ask<?>> asked;
  private volatile boolean stopping;
  private volatile boolean up;
  private boolean stopAsked;

  /** True if this life is over; written on the actor's context, or where it is left behind. */
  private volatile boolean closed;

  /** Creates the context of one actor object. */
  public BaseActorContext(ActorEnvironment environment, ActorRefImpl<?> self, ContextOwner owner) {
    this.environment = environment;
    this.self = self;
    this.owner = owner;
    this.guard = new TurnGuard(self.path(), self.durable(), this);
  }

  @Override
  public final void refused(IllegalStateException refusal) {
    owner.refusedCall(refusal);
  }

  @Override
  public final MessageSender sender() {
    return environment.sender();
  }

  @Override
  public final boolean sendsWithTurn() {
    return turn() != null && guard.isInTurn();
  }

  /** Returns the guard of the calls that belong to the open turn. */
  public final TurnGuard guard() {
    return guard;
  }

  /**
   * Begins the handling of a message.
   *
   * @param to the reply to the message
   * @param of the trace of the message; null if it has none
   */
  public final void begin(Reply to, @Nullable TraceContext of) {
    REPLY.setRelease(this, to);
    trace = of;
    asked = null;
  }

  @Override
  public abstract @Nullable Object atHand();

  @Override
  public final void asks(PendingAsks.Ask<?> ask) {
    if (guard.isInHandler()) {
      asked = asked == null ? new ArrayList<>(2) : asked;
      asked.add(ask);
    }
  }

  @Override
  public final void piped(Future<?> future) {
    guard.needActor("pipeToSelf");
    if (asked != null && guard.isInTurn()) {
      asked.removeIf(ask -> ask.answer() == future);
    }
  }

  /** Returns the handler's asks that were not piped to the actor itself; null if there are none. */
  final @Nullable List<PendingAsks.Ask<?>> asked() {
    return asked == null || asked.isEmpty() ? null : List.copyOf(asked);
  }

  @Override
  public final @Nullable Future<?> waits(Supplier<? extends @Nullable Future<?>> handle) {
    return guard.inOwnContext(handle);
  }

  @Override
  public final <T> Future<T> inTurn(Future<T> future) {
    guard.needTurn("inTurn");
    Promise<T> here = guard.promise();
    future.onComplete(
        done -> {
          try {
            here.handle(done);
          } catch (RejectedExecutionException e) { // whoever completes it has no part in that
            log.debug(
                "the zone of {} has closed: an outcome is ignored",
                self.path(),
                Causes.readable(e));
          }
        });
    return here.future();
  }

  /** Ends the handling of a message. */
  public void end() {
    guard.ends();
    trace = null;
    takeReply().released();
    if (idle != null) {
      idle.handled();
    }
    if (stopping) {
      stopOnce();
    }
  }

  /**
   * Returns the time that the start of {@code actor} may take in addition, to read and replay its
   * stored state.
   */
  public Duration recoveryTime(Actor<?> actor) {
    return Duration.ZERO;
  }

  /** Returns the open turn; null between turns and in a volatile actor. */
  public abstract @Nullable Turn turn();

  /** Takes the reply of the present message, which has none from now on. */
  public final Reply takeReply() {
    Reply taken = reply;
    REPLY.setRelease(this, Reply.NONE);
    return taken;
  }

  /** The reply that nothing has taken so far. Any thread. */
  protected final Reply unusedReply() {
    return (Reply) REPLY.getAcquire(this);
  }

  /** Takes the way of the answer only; the end of the message is still to be reported. */
  protected final Reply takeWay() {
    Reply taken = reply;
    REPLY.setRelease(this, taken.rest());
    return taken.way();
  }

  @Override
  public final Callboard callboard() {
    return environment.callboard();
  }

  @Override
  public final ActorRef<?> self() {
    return self;
  }

  @Override
  public final Optional<ActorRef<?>> replyTo() {
    guard.needTurn("replyTo");
    return Optional.ofNullable(reply.actor());
  }

  @Override
  public final Optional<TraceContext> trace() {
    return Optional.ofNullable(traceOfTurn());
  }

  @Override
  public final @Nullable TraceContext traceOfTurn() {
    return trace != null && guard.isInTurn() ? trace : null;
  }

  @Override
  public final TellOptions traced(TellOptions options) {
    TraceContext here = options.trace() == null ? traceOfTurn() : null;
    return here == null ? options : options.withTrace(here);
  }

  /** Sends without a turn; an undeliverable message becomes a dead letter. */
  protected final void send(ActorRef<?> receiver, Object message, TellOptions options) {
    dead(
        receiver,
        message,
        environment.sender().send(self.path().toString(), receiver, message, options));
  }

  /** Forwards a message with the reply of the present one. */
  protected final void pass(
      ActorRef<?> receiver, Object message, Reply back, @Nullable TraceContext of) {
    dead(
        receiver,
        message,
        environment.sender().pass(self.path().toString(), receiver, message, back, of));
  }

  /** Forwards to one actor only, from which alone an ask can get its answer now. */
  public final void passOn(
      ActorRef<?> receiver, Object message, Reply back, @Nullable TraceContext of) {
    if (back.way() instanceof PendingAsks.Ask<?> ask) {
      environment.waits().passedOn(ask, receiver.path());
    }
    pass(receiver, message, back, of);
  }

  /** Records that an ask is no longer answered by one actor in its handler. */
  protected static void givenAway(Reply back) {
    if (back.way() instanceof PendingAsks.Ask<?> ask) {
      ask.givenAway();
    }
  }

  private void dead(ActorRef<?> receiver, Object message, Future<Void> sent) {
    if (!sent.succeeded()) {
      sent.onFailure(
          cause -> environment.deadLetters().add(receiver.path(), self.path(), message, cause));
    }
  }

  /** Returns the failure that an ask gets in place of a null answer. */
  protected final CallboardException noAnswer() {
    return new CallboardException(
        Code.BAD_MESSAGE,
        "%s answered with null, and an answer must not be null: reply with an object"
            .formatted(self.path()));
  }

  @Override
  public final void refuse(Object message, CallboardException cause) {
    guard.needTurn("refuse");
    Reply back = takeWay();
    Runnable told =
        () -> {
          back.refuse(cause);
          environment.deadLetters().add(self.path(), null, message, cause);
        };
    Turn open = turn();
    if (open == null) {
      told.run();
    } else {
      open.leaving(told);
    }
  }

  /**
   * Called before something is begun.
   *
   * @throws IllegalStateException in a query
   */
  protected void begins() {}

  @Override
  public final void startTimer(String key, Duration delay, Object message, boolean periodic) {
    MessageSender.requireMessage(self.path(), message);
    open("startTimer");
    if (timers == null) {
      timers = new Timers(environment.node().time(), context(), owner::offerOwn);
    }
    timers.start(key, delay, message, periodic, traceOfTurn());
  }

  @Override
  public final void cancelTimer(String key) {
    guard.needActor("cancelTimer");
    if (timers != null) {
      timers.cancel(key);
    }
  }

  @Override
  public final void receiveTimeout(Duration limit, Object message) {
    MessageSender.requireMessage(self.path(), message);
    open("receiveTimeout");
    cancelIdle();
    idle =
        new ReceiveTimeout(environment.node().time(), context(), limit, message, owner::offerOwn);
  }

  @Override
  public final void cancelReceiveTimeout() {
    guard.needActor("cancelReceiveTimeout");
    cancelIdle();
  }

  private void cancelIdle() {
    if (idle != null) {
      idle.cancel();
      idle = null;
    }
  }

  @Override
  public final void watch(ActorRef<?> actor, Function<Terminated, ?> message) {
    if (actor.durable()) {
      throw new IllegalArgumentException(
          "%s is durable and never terminates: it cannot be watched".formatted(actor.path()));
    }
    open("watch");
    if (watched == null) {
      watched = new WatchedActors(self.path(), environment.sender(), owner::offerOwn);
    }
    watched.watch(actor, context(), message);
  }

  @Override
  public final void unwatch(ActorRef<?> actor) {
    guard.needActor("unwatch");
    if (watched != null) {
      watched.unwatch(actor);
    }
  }

  /** Ends this context with its life: watches, timers, receive timeout. */
  public final void close() {
    closed = true;
    guard.ends();
    if (watched != null) {
      watched.end();
    }
    cancelIdle();
    if (timers != null) {
      timers.cancelAll();
    }
  }

  /**
   * Refuses what this life would begin from now on: it is left behind, and its handler may go on
   * beside the next life, or another actor of its path. {@link #close} follows when the context is
   * free. Any thread.
   */
  public final void leave() {
    closed = true;
  }

  @Override
  public final void tellSelf(Object message) {
    tellSelf(message, null);
  }

  @Override
  public final void tellSelf(Object message, @Nullable TraceContext of) {
    MessageSender.requireMessage(self.path(), message);
    begins();
    owner.offerOwn(Delivery.outcome(message, of));
  }

  @Override
  public final void stopSelf() {
    guard.needActor("stopSelf");
    begins();
    stopping = true;
    if (up && !isHandling()) {
      stopOnce();
    }
  }

  /** Records that the start has succeeded. Any thread. */
  public final void up() {
    up = true;
    if (stopping) {
      stopOnce();
    }
  }

  @Override
  public final void resetBackoff() {
    open("resetBackoff");
    environment.host().well(self.path());
  }

  @Override
  public final boolean isOver() {
    return closed;
  }

  /** Returns whether the actor is stopping and handles nothing more. */
  public final boolean isStopping() {
    return stopping;
  }

  /** Returns whether a message is being handled. */
  protected abstract boolean isHandling();

  /** Requests the stop once, and of this life only: another may follow at once under its path. */
  private synchronized void stopOnce() {
    if (stopAsked || closed) {
      return;
    }
    stopAsked = true;
    environment.host().stopsItself(self.path());
  }

  /**
   * Requires the actor's thread and a life that has not ended.
   *
   * @throws CallboardException {@code STOPPED} if this life has ended
   * @throws IllegalStateException in a query, or on another thread
   */
  private void open(String what) {
    guard.needActor(what);
    if (closed) {
      throw CallboardException.stopped("actor " + self.path());
    }
    begins();
  }

  /** Returns the actor's root context, to which no turn belongs. */
  private Context context() {
    ContextInternal root = guard.root();
    return root == null ? environment.node().vertx().getOrCreateContext() : root;
  }

  @Override
  public final void became() {
    guard.needActor("become");
  }

  @Override
  public final Time time() {
    return environment.node().time();
  }

  @Override
  public final RandomGenerator random() {
    return environment.node().newRandom();
  }

  @Override
  public final <T> Future<ActorRef<T>> spawnChild(
      String name, Supplier<? extends Actor<T>> factory, ActorOptions options) {
    open("spawnChild");
    Promise<ActorRef<T>> child = environment.node().promises().here();
    environment
        .host()
        .spawnChild(self.path(), this::isOver, name, factory, options)
        .onComplete(child);
    return child.future();
  }
}
