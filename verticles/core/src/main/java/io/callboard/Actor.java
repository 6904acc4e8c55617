package io.callboard;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.ProtocolCodec;
import io.callboard.codecs.TraceContext;
import io.callboard.time.Time;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.Collection;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * An actor: a verticle that handles one message at a time, across asynchronous steps too.
 *
 * <pre>{@code
 * public final class Greeter extends Actor<Greet> {
 *   @Override protected void protocol(Protocol<Greet> on) {
 *     on.message(Greet.class, greet -> reply(new Greeting("Hello, " + greet.name())));
 *   }
 * }
 * }</pre>
 *
 * <p>It is started with {@link Callboard#spawn}. Deployed like any verticle ({@code vertx run},
 * {@code deployVerticle}), it spawns itself under the path that its configuration names, by default
 * its class name in kebab case.
 *
 * <p>This kind is <em>volatile</em>: its fields live until a restart, which makes a new object. A
 * message whose handler fails is not handled again; the messages behind it wait for the restart.
 * {@link DurableStateActor} and {@link PersistentActor} lose neither state nor mail.
 *
 * @param <M> the protocol: a sealed interface of records, or one record
 */
public abstract class Actor<M> extends VerticleBase {
  private @Nullable ActorContext attached;
  private @Nullable Guardian guardian;
  private @Nullable Behaviour<M> behaviour;

  /** Declares a handler of each message type. Called at each start, and to check a hosted class. */
  protected abstract void protocol(Protocol<M> on);

  /** Returns the root type of the protocol, by default the type argument of the class. */
  @SuppressWarnings("unchecked")
  public Class<M> messageType() {
    return (Class<M>) TypeArguments.messageType(getClass());
  }

  /**
   * Hook that is called before the first message, which waits for the future. If the actor is
   * stopped meanwhile, the future is ignored, and {@link #stopped} is not called.
   */
  protected Future<?> started() {
    return Future.succeededFuture();
  }

  /** Hook that is called after the last message, at a stop and before a restart. */
  protected Future<?> stopped() {
    return Future.succeededFuture();
  }

  /**
   * Handles a message; by default with the handlers of {@link #protocol}.
   *
   * @return a future with which the turn ends; null if the turn ends on return
   */
  public @Nullable Future<?> receive(M message) {
    return behaviour().handle(message);
  }

  /** Returns whether the class overrides {@link #receive}. For the toolkit. */
  public boolean receivesItself() {
    return TypeArguments.overridesReceive(getClass());
  }

  /**
   * Translates a message from the mailbox with the adapter of its type; a message of the actor's
   * own protocol is returned as it is. For the toolkit, which calls it before {@link #receive}.
   */
  public final M adapted(Object message) {
    return behaviour().adapted(message);
  }

  /** Returns the codec of the protocol and, once started, of its adapters. For the toolkit. */
  @SuppressWarnings("unchecked")
  public final ProtocolCodec<Object> codec() {
    return behaviour == null
        ? (ProtocolCodec<Object>) ProtocolCodec.of(messageType())
        : behaviour.codec();
  }

  /**
   * Gives the actor its context before the start; without one the actor spawns itself. Called by
   * the toolkit or a test kit.
   *
   * @param given a {@link DurableContext} for a durable actor, a {@link VolatileContext} for others
   * @throws IllegalStateException if this object was started before
   */
  public final void attach(ActorContext given) {
    Arguments.requireKind(this, given);
    synchronized (this) { // a factory may give it to two starts at the same time
      if (attached != null || guardian != null) {
        throw new IllegalStateException(
            "the factory returned an actor that was started before: make a new one each time");
      }
      attached = given;
    }
  }

  @Override
  public final Future<?> start() {
    if (attached == null) {
      guardian = new Guardian(vertx, this, config());
      return guardian.start();
    }
    Future<?> restored = restore();
    return restored == null || restored.succeeded() ? begin() : restored.compose(v -> begin());
  }

  private Future<?> begin() {
    behaviour = new Behaviour<>(this, actorContext());
    behaviour.change(first(behaviour));
    return started();
  }

  /** Declares the handlers of the first behaviour. */
  void declareFirst(Protocol<M> on) {
    protocol(on);
  }

  /** Returns the first behaviour of the actor, checked. */
  Protocol<M> first(Behaviour<M> of) {
    return of.declared();
  }

  /** Returns the present behaviour of this started actor. */
  final Behaviour<M> behaviour() {
    if (behaviour == null) {
      throw new IllegalStateException(getClass().getName() + " has not been started");
    }
    return behaviour;
  }

  /**
   * Changes the behaviour of this actor from the next message on: a finite state machine has one
   * method for each state. Each behaviour declares a handler for every type of the protocol, or
   * uses {@link Protocol#others}. A restart begins with {@link #protocol} again.
   *
   * <p>Not for durable actors, whose behaviour follows from their state: {@link
   * DurableActor#protocol(Object, Protocol)}.
   */
  protected final void become(Consumer<Protocol<M>> behaviour) {
    behaviour().become(behaviour);
  }

  @Override
  public final Future<?> stop() {
    return guardian != null ? guardian.stop() : stopped();
  }

  /** Restores the stored state until the future completes; null if the actor has none. */
  @Nullable Future<?> restore() {
    return null;
  }

  /**
   * Returns the services of the toolkit for this object: for base classes of other kinds of actors,
   * such as {@code io.callboard.proxy.ProxyActor}; actors need only the methods of this class.
   */
  protected final ActorContext actorContext() {
    if (attached == null) {
      throw new IllegalStateException(
          getClass().getName() + " has not been started: use this from started() on");
    }
    return attached;
  }

  /** Returns the node on which this actor runs. */
  protected final Callboard callboard() {
    return actorContext().callboard();
  }

  /** Returns this actor's path. */
  protected final ActorPath path() {
    return actorContext().self().path();
  }

  /** Returns a ref to this actor. */
  @SuppressWarnings("unchecked")
  protected final ActorRef<M> self() {
    return (ActorRef<M>) actorContext().self();
  }

  /**
   * Returns a ref to this actor for senders of the protocol {@code foreign}: its messages are
   * translated by the adapter declared with {@link Protocol#adapt} when they are handled. Like
   * every ref it works from any node and survives restarts and moves.
   *
   * @throws IllegalStateException if the actor has no adapter for that protocol
   */
  @SuppressWarnings("unchecked")
  protected final <F> ActorRef<F> self(Class<F> foreign) {
    Objects.requireNonNull(foreign, "foreign is null: give the root of the other protocol");
    behaviour().requireKnown(foreign);
    return (ActorRef<F>) self();
  }

  /**
   * Sends a message. In a durable actor it is a part of the turn, sent by its commit or not at all;
   * in a volatile actor it leaves at once, and becomes a logged dead letter if it cannot be
   * delivered.
   */
  protected final <T> void tell(ActorRef<T> receiver, T message) {
    Arguments.requireReceiver(receiver);
    actorContext().tell(receiver, message, TellOptions.NONE);
  }

  /**
   * Sends one message to several actors, as {@link #tell(ActorRef, Object)}. In a durable actor it
   * is written once for all durable receivers.
   */
  protected final <T> void tellAll(Collection<? extends ActorRef<T>> receivers, T message) {
    Arguments.requireReceivers(receivers);
    actorContext().tellAll(receivers, message);
  }

  /**
   * Sends a message with a priority, a deadline or an actor that gets the answer; otherwise as
   * {@link #tell(ActorRef, Object)}. Between durable actors the answer is sent by the answering
   * turn, exactly once.
   */
  protected final <T> void tell(ActorRef<T> receiver, T message, TellOptions options) {
    Arguments.requireReceiver(receiver);
    Objects.requireNonNull(options, "options is null: give TellOptions.NONE for none");
    actorContext().tell(receiver, message, options);
  }

  /**
   * Forwards a message: the future or actor that waits for the answer to the message being handled
   * gets it from {@code receiver}. From now on this actor's own answer is discarded.
   */
  protected final <T> void forward(ActorRef<T> receiver, T message) {
    Arguments.requireReceiver(receiver);
    actorContext().forward(receiver, message);
  }

  /**
   * Refuses {@code message}, the one being handled: its ask fails with the cause, and it becomes a
   * dead letter. A durable actor consumes it all the same.
   *
   * @throws NullPointerException if the message or the cause is null
   */
  protected final void refuse(M message, CallboardException cause) {
    Arguments.require(path(), message, "refuse", "the message at hand");
    Arguments.require(path(), cause, "refuse", "the cause that the caller gets");
    actorContext().refuse(message, cause);
  }

  /** Returns the clock and timers of the node; tests may inject a {@link Time} advanced by hand. */
  protected final Time time() {
    return actorContext().time();
  }

  /**
   * Returns the random generator of this actor, seeded by the node; not for secrets. For use on the
   * actor's context only.
   */
  protected final RandomGenerator random() {
    return actorContext().random();
  }

  /**
   * Returns the W3C trace context of the message being handled; empty if it belongs to none.
   * Messages that the handler tells, asks, forwards, delivers, pipes to itself or sends by a single
   * timer belong to the same trace, unless {@link TellOptions#trace} names another; those of
   * periodic timers and answers to futures do not.
   */
  protected final Optional<TraceContext> trace() {
    return actorContext().trace();
  }

  /** Returns the actor that gets the answer to the present message; empty if there is none. */
  protected final Optional<ActorRef<?>> replyTo() {
    return actorContext().replyTo();
  }

  /**
   * Stashes the message being handled, with whoever waits for its answer, until {@link
   * #unstashAll()} or {@link #unstash}. A restart unstashes all messages, before all other mail. If
   * the handler fails after all, its message is not stashed. A stashed message that is past its
   * deadline, or whose timer was cancelled or restarted meanwhile, is not handled.
   *
   * <p>A volatile actor holds at most {@link ActorOptions#mailboxLimit()} stashed messages; one
   * more fails the handler. Those of a durable actor stay in its mailbox, at most a quarter of its
   * limit and at most 1,000; so they survive their node, and the handler that stashes a message
   * must do nothing else, because it runs again. An at-most-once actor has consumed the message
   * already, so that its handler fails.
   */
  protected final void stash() {
    actorContext().stash();
  }

  /**
   * Takes up all stashed messages: they come next, in their order, before all other mail of their
   * priority.
   */
  protected final void unstashAll() {
    actorContext().unstashAll();
  }

  /**
   * Takes up the oldest {@code most} stashed messages, or all if there are fewer: they come next,
   * in their order, before all other mail of their priority. The message being handled is the last
   * of them if it was {@linkplain #stash stashed} before.
   *
   * @param most at least 1
   */
  protected final void unstash(int most) {
    Arguments.requireUnstashed(most);
    actorContext().unstash(most);
  }

  /** Returns a view of the stashed messages. */
  @SuppressWarnings("unchecked") // what lies aside came through this actor's protocol
  protected final StashView<M> stashed() {
    return (StashView<M>) actorContext().stashed();
  }

  /**
   * Answers the message being handled: completes the future of its ask, or sends a message to the
   * actor named by {@link TellOptions#replyTo}. Does nothing if there is neither. In a durable
   * actor the answer leaves after the commit, in an at-least-once one when the handler has
   * succeeded. To an asker of the same node an answer of any size is passed by reference; to one of
   * another node it may have up to 16 MiB as JSON, otherwise the ask fails with {@code
   * PAYLOAD_TOO_LARGE}. So keep answers below that, and never modify one that was given. An answer
   * must not be null: the ask fails with {@code BAD_MESSAGE}.
   */
  protected final void reply(Object answer) {
    actorContext().reply(answer);
  }

  /**
   * Runs {@code effect} when the turn is durable, at most once. In a volatile actor it runs at
   * once; in an at-least-once one when the handler has succeeded, and again with every repetition.
   *
   * <p>An exception of the effect goes to the supervisor, which restarts the actor; the turn stays
   * committed. In a volatile actor it fails the handler; in an at-least-once one the turn may be
   * repeated.
   */
  protected final void afterCommit(Runnable effect) {
    Objects.requireNonNull(effect, "effect is null: give a task to run after the commit");
    actorContext().afterCommit(effect);
  }

  /**
   * Starts a timer that sends {@code message} to this actor once, after the delay. It replaces the
   * timer of the same key; a restart cancels it.
   *
   * @param delay not negative, and {@link Time#LONGEST} at most; less than a millisecond counts as
   *     one
   */
  protected final void startTimer(String key, Duration delay, M message) {
    actorContext().startTimer(key, Delays.timer(path(), key, delay), message, false);
  }

  /**
   * Starts a timer that sends {@code message} to this actor periodically; it skips a period while
   * its last message still waits. It replaces the timer of the same key; a restart cancels it.
   *
   * @param every at least a millisecond, and {@link Time#LONGEST} at most
   */
  protected final void startPeriodicTimer(String key, Duration every, M message) {
    actorContext().startTimer(key, Delays.period(path(), key, every), message, true);
  }

  /**
   * Cancels the timer of that key: its message is not handled any more, even if it waits in the
   * mailbox already, or is stashed.
   */
  protected final void cancelTimer(String key) {
    Delays.requireKey(path(), key);
    actorContext().cancelTimer(key);
  }

  /**
   * Sends {@code message} to this actor whenever it has handled no message for {@code idle}; a
   * restart cancels it.
   *
   * @param idle positive, and {@link Time#LONGEST} at most
   */
  protected final void receiveTimeout(Duration idle, M message) {
    actorContext().receiveTimeout(Delays.idle(path(), idle), message);
  }

  /** Cancels the {@linkplain #receiveTimeout receive timeout}; does nothing if there is none. */
  protected final void cancelReceiveTimeout() {
    actorContext().cancelReceiveTimeout();
  }

  /**
   * Watches a volatile actor of this or another node (death watch): sends {@code message} to this
   * actor once, when it has ended. It has ended when it was stopped, its supervisor gave it up, its
   * node left the cell, or no such actor exists; a restart is no end. A restart of this actor ends
   * the watch.
   *
   * @throws IllegalArgumentException if {@code actor} is durable: such an actor has no end
   */
  protected final void watch(ActorRef<?> actor, Function<Terminated, M> message) {
    Objects.requireNonNull(actor, "actor is null: give the ref of the actor to watch");
    Objects.requireNonNull(
        message, "message is null: give a function that makes a message of the termination");
    actorContext().watch(actor, message);
  }

  /**
   * Ends the watch of {@code actor}: its end is not reported any more, even if the message waits in
   * the mailbox already.
   */
  protected final void unwatch(ActorRef<?> actor) {
    Objects.requireNonNull(actor, "actor is null: give the ref of a watched actor");
    actorContext().unwatch(actor);
  }

  /**
   * Starts a child of this actor, at {@code <path of this>/<name>}; it is supervised like any other
   * actor, and stopped when this one is stopped or restarted. Of a durable child, state and mail
   * stay stored, and go on when it is spawned again.
   */
  protected final <T> Future<ActorRef<T>> spawnChild(
      String name, Supplier<? extends Actor<T>> factory, ActorOptions options) {
    return actorContext().spawnChild(name, factory, options);
  }

  /**
   * Stops this actor when the handler of this message and its future, or the start, have completed;
   * no further message is handled.
   */
  protected final void stopSelf() {
    actorContext().stopSelf();
  }

  /**
   * Reports that this actor is healthy, for example when its connection is established: its backoff
   * begins anew, so that it waits after its next failure as after the first one. Restarts that
   * count in an intensity go on counting. Takes effect at once, even if the turn fails. Without it
   * the backoff is reset after {@link io.callboard.supervision.SupervisionOptions#resetAfter()},
   * which may be made long so that only this call counts.
   *
   * @throws CallboardException {@code STOPPED} if this life has ended
   */
  protected final void resetBackoff() {
    actorContext().resetBackoff();
  }

  /** Returns whether this life of the actor has ended, for later callbacks on its context. */
  protected final boolean isOver() {
    return actorContext().isOver();
  }

  /**
   * Returns a future with the same outcome whose callbacks run in the current turn, provided that
   * the handler returns a future that waits for it. For futures that complete elsewhere, such as
   * one that another turn or the start began, whose callbacks would run there.
   *
   * <pre>{@code
   * on.async(Read.class, read -> inTurn(connection).compose(to -> to.get(read.key())).onSuccess(this::reply));
   * }</pre>
   *
   * @throws IllegalStateException outside of a turn
   */
  protected final <T> Future<T> inTurn(Future<T> future) {
    Arguments.require(path(), future, "inTurn", "the future whose outcome is awaited");
    return actorContext().inTurn(future);
  }

  /** Returns {@link #inTurn(Future)} of a stage, for clients that do not use Vert.x. */
  protected final <T> Future<T> inTurn(CompletionStage<T> stage) {
    Arguments.require(path(), stage, "inTurn", "the stage whose outcome is awaited");
    return inTurn(Future.fromCompletionStage(stage));
  }

  /** Sends this actor the outcome of {@code future}, unless it has ended here; no turn waits. */
  protected final <T> void pipeToSelf(Future<T> future, Function<AsyncResult<T>, M> message) {
    Objects.requireNonNull(future, "future is null: give the future whose outcome is awaited");
    Objects.requireNonNull(
        message, "message is null: give a function that makes a message of the outcome");
    ActorContext here = actorContext();
    here.piped(future);
    TraceContext trace = here.trace().orElse(null);
    future.onComplete(outcome -> here.tellSelf(message.apply(outcome), trace));
  }
}
