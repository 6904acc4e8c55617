package io.callboard;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.ProtocolCodec;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.function.Function;
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
  private @Nullable ActorContext scope;
  private @Nullable Protocol<M> handlers;
  private @Nullable Guardian guardian;

  /** Names the handler of every type of the protocol. Called at each start. */
  protected abstract void protocol(Protocol<M> on);

  /** The root of the protocol; read from the class's type argument unless overridden. */
  @SuppressWarnings("unchecked")
  public Class<M> messageType() {
    return (Class<M>) TypeArguments.find(getClass(), Actor.class, 0, "messageType");
  }

  /** Called before the first message; the first message waits for the future. */
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
      throw new IllegalStateException(getClass().getSimpleName() + " has not been started");
    }
    return handlers.handle(message);
  }

  @Override
  public final Future<?> start() {
    ActorContext given = context.get(ActorContext.KEY);
    if (given == null) {
      guardian = new Guardian(vertx, this, config());
      return guardian.start();
    }
    scope = given;
    handlers = new Protocol<>(messageType());
    protocol(handlers);
    handlers.check(ProtocolCodec.of(messageType()).types(), getClass().getSimpleName());
    restore(given);
    return started();
  }

  @Override
  public final Future<?> stop() {
    return guardian != null ? guardian.stop() : stopped();
  }

  void restore(ActorContext given) {}

  final ActorContext scope() {
    if (scope == null) {
      throw new IllegalStateException(
          getClass().getSimpleName() + " has not been started: use this from started() on");
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
   * Sends a message. In a durable actor it is a part of the turn, sent by its commit or not at all;
   * in a volatile one it leaves at once, and what cannot be delivered is a dead letter in the log.
   */
  protected final <T> void tell(ActorRef<T> receiver, T message) {
    scope().tell(receiver, message);
  }

  /**
   * Answers the message being handled, if it was asked. In a durable actor the answer leaves after
   * the commit, in an at-least-once one when the handler has succeeded. To an asker of the same
   * node it passes by reference, of any size; to one of another node it has up to 16 MiB as JSON,
   * else the asker gets {@code PAYLOAD_TOO_LARGE} in its place. So keep answers below that, and
   * never change what was given.
   */
  protected final void reply(Object answer) {
    scope().reply(answer);
  }

  /**
   * Runs {@code effect} after the turn is durable, at most once; in a volatile actor at once; in an
   * at-least-once one when the handler has succeeded, and again with every repetition.
   */
  protected final void afterCommit(Runnable effect) {
    scope().afterCommit(effect);
  }

  /** Sends {@code message} to this actor after the delay; forgotten at a restart. */
  protected final void startTimer(String key, Duration delay, M message) {
    scope().startTimer(key, delay, message);
  }

  protected final void cancelTimer(String key) {
    scope().cancelTimer(key);
  }

  /**
   * Sends the outcome of {@code future} to this actor as a message, so that no turn waits for it.
   */
  protected final <T> void pipeToSelf(Future<T> future, Function<AsyncResult<T>, M> message) {
    ActorContext here = scope();
    future.onComplete(outcome -> here.tellSelf(message.apply(outcome)));
  }
}
