package io.callboard;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.ProtocolCodec;
import io.callboard.codecs.TraceContext;
import io.callboard.time.Time;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.Arrays;
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
 * An actor: a verticle that handles one message at a time, also across asynchronous steps.
 *
 * <pre>{@code
 * public final class Greeter extends Actor<Greet> {
 *   @Override protected void protocol(Protocol<Greet> on) {
 *     on.message(Greet.class, greet -> reply(new Greeting("Hello, " + greet.name())));
 *   }
 * }
 * }</pre>
 *
 * <p>Started with {@link Callboard#spawn}; deployed like any verticle ({@code vertx run}, {@code
 * deployVerticle}) it spawns itself, under the path that its configuration names, or its class name
 * in kebab case.
 *
 * <p>This kind is <em>volatile</em>: fields live until it is restarted, which makes a new object. A
 * message whose handler fails is not handled again; those behind it wait for the restart. {@link
 * DurableStateActor} and {@link PersistentActor} lose neither state nor mail.
 *
 * @param <M> the protocol: a sealed interface of records, or one record
 */
public abstract class Actor<M> extends VerticleBase {
  private static final ClassValue<Class<?>> MESSAGE_TYPES =
      new ClassValue<>() {
        @Override
        protected Class<?> computeValue(Class<?> type) {
          return TypeArguments.find(type, Actor.class, 0, "messageType");
        }
      };

  private static final ClassValue<Boolean> RECEIVING =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return type != Actor.class
              && (Arrays.stream(type.getDeclaredMethods())
                      .anyMatch(method -> method.getName().equals("receive"))
                  || get(type.getSuperclass()));
        }
      };

  private @Nullable ActorContext scope;
  private @Nullable Protocol<M> handlers;
  private @Nullable Guardian guardian;
  private @Nullable Adapters<M> adapters;

  /** Names the handler of every type of the protocol. Called at each start. */
  protected abstract void protocol(Protocol<M> on);

  /** The root of the protocol; read from the class's type argument unless overridden. */
  @SuppressWarnings("unchecked")
  public Class<M> messageType() {
    return (Class<M>) MESSAGE_TYPES.get(getClass());
  }

  /**
   * Called before the first message; the first message waits for the future. If the actor is
   * stopped meanwhile nobody waits for it any more, and {@link #stopped} is not called.
   */
  protected Future<?> started() {
    return Future.succeededFuture();
  }

  /** Called after the last message, at a stop and before a restart. */
  protected Future<?> stopped() {
    return Future.succeededFuture();
  }

  /**
   * Handles a message; by default with the handlers of {@link #protocol}.
   *
   * @return null or a future: the turn ends with it
   */
  public @Nullable Future<?> receive(M message) {
    if (handlers == null) {
      throw new IllegalStateException(getClass().getName() + " has not been started");
    }
    return handlers.handle(message);
  }

  /**
   * Whether it overrides {@link #receive}, and so may return a future of its own. For the toolkit.
   */
  public boolean receivesItself() {
    return RECEIVING.get(getClass());
  }

  /**
   * What {@code message} from the mailbox means in the actor's own protocol: itself, or what its
   * adapter makes of it. Called by the toolkit, or a testkit, before {@link #receive}.
   */
  @SuppressWarnings("unchecked")
  public final M adapted(Object message) {
    return adapters == null ? (M) message : adapters.translate(message);
  }

  /** Reads what may lie in the mailbox of an actor that has started. For the toolkit. */
  @SuppressWarnings("unchecked")
  public final ProtocolCodec<Object> codec() {
    return adapters == null
        ? (ProtocolCodec<Object>) ProtocolCodec.of(messageType())
        : adapters.codec();
  }

  /**
   * Called by the toolkit, or a testkit, before the start; else the actor spawns itself.
   *
   * @throws IllegalStateException if this object was started before
   */
  public final void attach(ActorContext given) {
    synchronized (this) { // a factory may give it to two starts at the same time
      if (scope != null || guardian != null) {
        throw new IllegalStateException(
            "the factory gave an object that was started before: make a new one each time");
      }
      scope = given;
    }
  }

  @Override
  public final Future<?> start() {
    ActorContext given = scope;
    if (given == null) {
      guardian = new Guardian(vertx, this, config());
      return guardian.start();
    }
    Future<?> restored = restore(given);
    return restored == null || restored.succeeded() ? begin() : restored.compose(v -> begin());
  }

  private Future<?> begin() {
    Protocol<M> declared = new Protocol<>(messageType(), this::query, this::waits);
    protocol(declared);
    adapters = Adapters.of(this, declared);
    handlers = behaviour(declared);
    return started();
  }

  /**
   * The behaviour to begin with.
   *
   * @param declared by {@link #protocol}
   */
  Protocol<M> behaviour(Protocol<M> declared) {
    check(declared);
    return declared;
  }

  private void check(Protocol<M> behaviour) {
    behaviour.check(ProtocolCodec.of(messageType()).types(), getClass().getName());
  }

  /** One that follows. */
  final Protocol<M> checked(Consumer<Protocol<M>> define) {
    Protocol<M> behaviour = new Protocol<>(messageType(), this::query, this::waits);
    define.accept(behaviour);
    check(behaviour);
    if (adapters != null) {
      adapters.add(behaviour);
    } else if (!behaviour.adapters().isEmpty()) {
      throw Adapters.undeclared(getClass().getName(), behaviour.adapters().keySet());
    }
    return behaviour;
  }

  private void query(Supplier<?> query) {
    ActorContext here = scope();
    here.readOnly(true);
    Object answer;
    try {
      answer = query.get();
    } finally {
      here.readOnly(false);
    }
    here.reply(answer);
  }

  private @Nullable Future<?> waits(Supplier<? extends @Nullable Future<?>> handle) {
    return scope().waits(handle);
  }

  final void handlers(Protocol<M> behaviour) {
    handlers = behaviour;
  }

  /**
   * From the next message on this actor behaves otherwise: a finite state machine has one such
   * method a state. Each names a handler for every type of the protocol, or uses {@link
   * Protocol#others}. A restart begins with {@link #protocol} again.
   *
   * <p>Not for durable actors, whose behaviour follows from their state: {@link
   * DurableActor#protocol(Object, Protocol)}.
   */
  protected final void become(Consumer<Protocol<M>> behaviour) {
    Objects.requireNonNull(behaviour, "behaviour is null: give what names its handlers");
    if (this instanceof DurableActor) {
      throw new IllegalStateException(
          "a restart would forget what %s became: override protocol(state, on)".formatted(path()));
    }
    Protocol<M> next = checked(behaviour);
    if (scope != null) {
      scope.became();
    }
    handlers = next;
  }

  @Override
  public final Future<?> stop() {
    return guardian != null ? guardian.stop() : stopped();
  }

  /** What is stored of it is there when the future completes; null if nothing is. */
  @Nullable Future<?> restore(ActorContext given) {
    return null;
  }

  final ActorContext scope() {
    if (scope == null) {
      throw new IllegalStateException(
          getClass().getName() + " has not been started: use this from started() on");
    }
    return scope;
  }

  protected final Callboard callboard() {
    return scope().callboard();
  }

  protected final ActorPath path() {
    return scope().self().path();
  }

  @SuppressWarnings("unchecked")
  protected final ActorRef<M> self() {
    return (ActorRef<M>) scope().self();
  }

  /**
   * This actor for those who speak {@code foreign}: what is sent there is translated by the adapter
   * declared with {@link Protocol#adapt}, when it is handled. Like every ref it works from any
   * node, and survives restarts and moves.
   *
   * @throws IllegalStateException if the actor has no adapter for it
   */
  @SuppressWarnings("unchecked")
  protected final <F> ActorRef<F> self(Class<F> foreign) {
    Objects.requireNonNull(foreign, "foreign is null: give the root of a protocol");
    ActorContext here = scope();
    if (foreign != messageType() && (adapters == null || !adapters.understands(foreign))) {
      throw new IllegalStateException(
          "%s does not understand %s: declare it with on.adapt(%s.class, …) in protocol"
              .formatted(getClass().getName(), foreign.getName(), foreign.getSimpleName()));
    }
    return (ActorRef<F>) here.self();
  }

  /**
   * Sends a message. In a durable actor it is a part of the turn, sent by its commit or not at all;
   * in a volatile one it leaves at once, and what cannot be delivered is a dead letter in the log.
   */
  protected final <T> void tell(ActorRef<T> receiver, T message) {
    requireReceiver(receiver);
    scope().tell(receiver, message, TellOptions.NONE);
  }

  /**
   * The same to each of them. In a durable actor the message is written once for all durable ones.
   */
  protected final <T> void tellAll(Collection<? extends ActorRef<T>> receivers, T message) {
    requireReceivers(receivers);
    scope().tellAll(receivers, message);
  }

  /**
   * {@link #tell(ActorRef, Object)} with a priority, a deadline or an actor that is told the
   * answer. From a durable actor to a durable one that is told with the answering turn, exactly
   * once.
   */
  protected final <T> void tell(ActorRef<T> receiver, T message, TellOptions options) {
    requireReceiver(receiver);
    Objects.requireNonNull(options, "options is null: give TellOptions.NONE if nothing goes along");
    scope().tell(receiver, message, options);
  }

  /**
   * Passes a message on: whoever waits for the answer to the message being handled, a future or an
   * actor, gets it from {@code receiver}. An answer of this actor goes nowhere from now on.
   */
  protected final <T> void forward(ActorRef<T> receiver, T message) {
    requireReceiver(receiver);
    scope().forward(receiver, message);
  }

  /**
   * The same, and tells when the message is over there. For a volatile actor of this node: when its
   * handler is done, also its future, or will never be. For one of another node, and for a durable
   * one: when the message is in the mailbox, or cannot be. Not for durable actors.
   *
   * @param over called once, on any thread; it must not block
   */
  protected final <T> void forward(ActorRef<T> receiver, T message, Runnable over) {
    requireReceiver(receiver);
    Objects.requireNonNull(over, "over is null: give what is to run, or call forward without it");
    scope().forward(receiver, message, over);
  }

  /**
   * Passes a message on to each of them. A future that waits for the answer gets the first outcome,
   * an answer or a failure; an actor that is told the answers is told all. Who passed the message
   * on to this actor and wants to know when it is over is told when it is over at the last of them.
   * Not for durable actors.
   *
   * @param receivers not empty
   */
  protected final <T> void forwardAll(Collection<? extends ActorRef<T>> receivers, T message) {
    requireReceivers(receivers);
    scope().forwardAll(receivers, message);
  }

  /**
   * Answers the message being handled when the future completes; other messages are handled
   * meanwhile. If it fails, so does whoever asked, with the cause; if nobody waits, the message is
   * a dead letter. Not for durable actors.
   *
   * @throws NullPointerException if there is no future
   */
  protected final void replyWhen(Future<?> answer) {
    require(answer, "replyWhen", "the future of the answer");
    scope().replyWhen(answer);
  }

  /**
   * Does not handle {@code message}, the one at hand: whoever asked fails with the cause, and it is
   * a dead letter. In a durable actor it is consumed all the same.
   *
   * @throws NullPointerException if there is no message or no cause
   */
  protected final void refuse(M message, CallboardException cause) {
    require(message, "refuse", "the message at hand");
    require(cause, "refuse", "the cause that the asker is told");
    scope().refuse(message, cause);
  }

  /**
   * Keeps {@code message}, the one at hand, with whoever waits for its answer, beyond its handler:
   * a proxy hands it to others, as often as it takes. What is kept ends with this process, and
   * whoever keeps it owes it an end, also when the actor {@link #stopped}. Not for durable actors.
   *
   * @throws NullPointerException if there is no message
   * @throws IllegalStateException if no message is at hand, or it is kept or put aside already
   */
  protected final HeldMessage<M> keep(M message) {
    require(message, "keep", "the message at hand");
    return scope().keep(message);
  }

  /** The time of the node, which a test may move by hand. */
  protected final Time time() {
    return scope().time();
  }

  /** Randomness of its own, seeded by the node; not for secrets. Used on the actor's context. */
  protected final RandomGenerator random() {
    return scope().random();
  }

  private void require(@Nullable Object given, String what, String right) {
    if (given == null) {
      throw new NullPointerException(
          "%s of %s with null: give it %s".formatted(what, path(), right));
    }
  }

  private static void requireReceiver(@Nullable ActorRef<?> receiver) {
    Objects.requireNonNull(receiver, "receiver is null: give the ref of an actor");
  }

  private static void requireReceivers(@Nullable Collection<?> receivers) {
    Objects.requireNonNull(receivers, "receivers is null: give the refs of actors");
  }

  /**
   * The W3C trace context of the message being handled; empty if it is a part of no trace. What the
   * handler tells, asks, forwards, delivers, pipes to itself or starts a single timer for is a part
   * of the same trace, unless {@link TellOptions#trace} names another; periodic timers and answers
   * to futures are not.
   */
  protected final Optional<TraceContext> trace() {
    return scope().trace();
  }

  /** The actor that is told the answer to the message being handled; empty if none is. */
  protected final Optional<ActorRef<?>> replyTo() {
    return scope().replyTo();
  }

  /**
   * Puts the message being handled aside, with whoever waits for its answer, until {@link
   * #unstashAll()} or {@link #unstash}. A restart takes up again all that was put aside, before all
   * other mail. If its handler fails after all the message is not put aside. What is overdue when
   * it is taken up is not handled, nor what a timer sent that was cancelled or started again
   * meanwhile.
   *
   * <p>In a volatile actor at most {@link ActorOptions#mailboxLimit()} of them; one more fails the
   * handler. In a durable one they stay in its mailbox, a quarter of its limit and 1,000 of them at
   * most; so they survive their node, and the handler that puts a message aside must do nothing
   * else: it runs again. An at-most-once actor has consumed the message already, and fails.
   */
  protected final void stash() {
    scope().stash();
  }

  /** What was put aside comes next, in its order, before all other mail of its priority. */
  protected final void unstashAll() {
    scope().unstashAll();
  }

  /**
   * The oldest {@code most} messages that were put aside come next, in their order, before all
   * other mail of their priority; the others stay aside. If there are fewer, all of them. The
   * message at hand is the last of those put aside if it was {@linkplain #stash stashed} before.
   *
   * @param most at least 1
   */
  protected final void unstash(int most) {
    if (most < 1) {
      throw new IllegalArgumentException(
          "unstash takes up at least 1 message, not %d".formatted(most));
    }
    scope().unstash(most);
  }

  /** What was put aside. */
  @SuppressWarnings("unchecked") // what lies aside came through this actor's protocol
  protected final StashView<M> stashed() {
    return (StashView<M>) scope().stashed();
  }

  /**
   * Answers the message being handled: to the future that was asked for it, or, as a message, to
   * the actor named by {@link TellOptions#replyTo}. Does nothing if neither is there. In a durable
   * actor the answer leaves after the commit, in an at-least-once one when the handler has
   * succeeded. To an asker of the same node it passes by reference, of any size; to one of another
   * node it has up to 16 MiB as JSON, else the asker gets {@code PAYLOAD_TOO_LARGE} in its place.
   * So keep answers below that, and never change what was given. An answer is never null: whoever
   * asked fails with {@code BAD_MESSAGE}.
   */
  protected final void reply(Object answer) {
    scope().reply(answer);
  }

  /**
   * Runs {@code effect} after the turn is durable, at most once; in a volatile actor at once; in an
   * at-least-once one when the handler has succeeded, and again with every repetition.
   *
   * <p>What it throws goes to the supervisor, which restarts the actor; the turn stays committed.
   * In a volatile actor it fails the handler, in an at-least-once one the turn may be repeated.
   */
  protected final void afterCommit(Runnable effect) {
    Objects.requireNonNull(effect, "effect is null: give what is to run");
    scope().afterCommit(effect);
  }

  /**
   * Sends {@code message} to this actor after the delay, which replaces the timer of that key;
   * forgotten at a restart.
   *
   * @param delay not negative, and {@link Time#LONGEST} at most; below a millisecond it is one
   */
  protected final void startTimer(String key, Duration delay, M message) {
    scope().startTimer(key, Delays.timer(path(), key, delay), message, false);
  }

  /**
   * The same again and again; a message that still waits takes the place of the next.
   *
   * @param every at least a millisecond, and {@link Time#LONGEST} at most
   */
  protected final void startPeriodicTimer(String key, Duration every, M message) {
    scope().startTimer(key, Delays.period(path(), key, every), message, true);
  }

  /**
   * Its message is not handled any more, also if it waits in the mailbox already, or lies aside.
   */
  protected final void cancelTimer(String key) {
    Delays.requireKey(path(), key);
    scope().cancelTimer(key);
  }

  /**
   * Sends {@code message} to this actor whenever it has handled nothing for {@code idle}; forgotten
   * at a restart.
   *
   * @param idle positive, and {@link Time#LONGEST} at most
   */
  protected final void receiveTimeout(Duration idle, M message) {
    scope().receiveTimeout(Delays.idle(path(), idle), message);
  }

  protected final void cancelReceiveTimeout() {
    scope().cancelReceiveTimeout();
  }

  /**
   * Sends {@code message} to this actor when the volatile actor, here or on another node, runs no
   * more: it was stopped, its supervisor gave it up, its node left the cell, or no such actor is
   * there. Restarts are not told. Once; forgotten at a restart of this actor.
   *
   * @throws IllegalArgumentException for a durable actor, which has no end
   */
  protected final void watch(ActorRef<?> actor, Function<Terminated, M> message) {
    Objects.requireNonNull(actor, "actor is null: give the ref of the one to be watched");
    Objects.requireNonNull(
        message, "message is null: give a function that makes a message of its end");
    scope().watch(actor, message);
  }

  /** Its end is not told any more, also if it waits in the mailbox already. */
  protected final void unwatch(ActorRef<?> actor) {
    Objects.requireNonNull(actor, "actor is null: give the ref of one that is watched");
    scope().unwatch(actor);
  }

  /**
   * Starts a volatile actor below this one, at {@code <path of this>/<name>}; it is supervised like
   * any other, and stopped when this one is stopped or restarted.
   */
  protected final <T> Future<ActorRef<T>> spawnChild(
      String name, Supplier<? extends Actor<T>> factory, ActorOptions options) {
    return scope().spawnChild(name, factory, options);
  }

  /**
   * Stops this actor when the message at hand is handled, its future included, or its start is
   * done; nothing follows.
   */
  protected final void stopSelf() {
    scope().stopSelf();
  }

  /**
   * This actor is well, as it knows better than its supervisor: what it depends on is connected,
   * say. After its next failure it waits as after the first one. Restarts that count in an
   * intensity go on counting. At once, also if its turn fails then; without it the backoff begins
   * anew after {@link io.callboard.supervision.SupervisionOptions#resetAfter()}, which may be long
   * so that only this counts.
   *
   * @throws CallboardException {@code STOPPED} if this life is over
   */
  protected final void resetBackoff() {
    scope().resetBackoff();
  }

  /** Whether this life has ended, for a future of its own that completes later; on its context. */
  protected final boolean isOver() {
    return scope().isOver();
  }

  /**
   * The same outcome in the turn that is open: what is called then belongs to it, if its handler
   * has returned a future that waits for it. For what completes elsewhere, such as a future that
   * another turn or the start has begun, whose callbacks run there.
   *
   * <pre>{@code
   * on.async(Read.class, read -> inTurn(connection).compose(to -> to.get(read.key())).onSuccess(this::reply));
   * }</pre>
   *
   * @throws IllegalStateException outside of a turn
   */
  protected final <T> Future<T> inTurn(Future<T> future) {
    require(future, "inTurn", "the future whose outcome is awaited");
    return scope().inTurn(future);
  }

  /** The same for what the JDK, or a client that is not of Vert.x, completes on its own threads. */
  protected final <T> Future<T> inTurn(CompletionStage<T> stage) {
    require(stage, "inTurn", "the stage whose outcome is awaited");
    return inTurn(Future.fromCompletionStage(stage));
  }

  /**
   * Sends the outcome of {@code future} to this actor as a message, so that no turn waits for it.
   */
  protected final <T> void pipeToSelf(Future<T> future, Function<AsyncResult<T>, M> message) {
    Objects.requireNonNull(future, "future is null: give the one whose outcome is awaited");
    Objects.requireNonNull(
        message, "message is null: give a function that makes a message of the outcome");
    ActorContext here = scope();
    here.piped(future);
    TraceContext trace = here.trace().orElse(null);
    future.onComplete(outcome -> here.tellSelf(message.apply(outcome), trace));
  }
}
