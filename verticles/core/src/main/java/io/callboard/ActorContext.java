package io.callboard;

import io.callboard.codecs.TraceContext;
import io.callboard.time.Time;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Services of the toolkit for one started actor object, volatile or durable; actors use them
 * through the protected methods of {@link Actor}. Each object gets a {@link VolatileContext} or a
 * {@link DurableContext}. Confined to the actor's context.
 */
public interface ActorContext {
  /**
   * Key under which a Vert.x context holds the context of the durable actor that is deployed in it.
   */
  String KEY = "io.callboard.actor-context";

  /** See {@link Actor#callboard}. */
  Callboard callboard();

  /** See {@link Actor#self()}. */
  ActorRef<?> self();

  /** See {@link Actor#reply}. */
  void reply(Object answer);

  /** Sets whether the actor may only read now: see {@link Protocol#query}. */
  default void readOnly(boolean now) {}

  /** See {@link Actor#afterCommit}. */
  void afterCommit(Runnable effect);

  /** Sends a message as a part of the turn, or at once outside of one. */
  void tell(ActorRef<?> receiver, Object message, TellOptions options);

  /** See {@link Actor#tellAll}. */
  default void tellAll(Collection<? extends ActorRef<?>> receivers, Object message) {
    receivers.forEach(receiver -> tell(receiver, message, TellOptions.NONE));
  }

  /** See {@link Actor#forward}. */
  void forward(ActorRef<?> receiver, Object message);

  /** See {@link Actor#refuse}. */
  void refuse(Object message, CallboardException cause);

  /** See {@link Actor#time}. */
  Time time();

  /** See {@link Actor#random}. */
  RandomGenerator random();

  /** See {@link Actor#trace}. */
  default Optional<TraceContext> trace() {
    return Optional.empty();
  }

  /** See {@link Actor#replyTo}. */
  Optional<ActorRef<?>> replyTo();

  /** Reports that the actor's behaviour changes with the next message: see {@link Actor#become}. */
  default void became() {}

  /** Calls the handler of the current message, for whose future the turn waits. */
  default @Nullable Future<?> waits(Supplier<? extends @Nullable Future<?>> handle) {
    return handle.get();
  }

  /** See {@link Actor#inTurn(Future)}. */
  default <T> Future<T> inTurn(Future<T> future) {
    return future;
  }

  /** See {@link Actor#stash}. */
  void stash();

  /** See {@link Actor#unstashAll}. */
  void unstashAll();

  /** See {@link Actor#unstash}. */
  void unstash(int most);

  /** See {@link Actor#stashed}. */
  StashView<Object> stashed();

  /** See {@link Actor#startTimer} and {@link Actor#startPeriodicTimer}. */
  void startTimer(String key, Duration delay, Object message, boolean periodic);

  /** See {@link Actor#cancelTimer}. */
  void cancelTimer(String key);

  /** See {@link Actor#receiveTimeout}. */
  void receiveTimeout(Duration idle, Object message);

  /** See {@link Actor#cancelReceiveTimeout}. */
  void cancelReceiveTimeout();

  /** Puts a message of the actor to itself into its mailbox in memory. */
  void tellSelf(Object message);

  /** {@link #tellSelf(Object)} as a part of {@code trace}; null for none. */
  default void tellSelf(Object message, @Nullable TraceContext trace) {
    tellSelf(message);
  }

  /**
   * Reports that the outcome of {@code future} is piped to the actor, so that no handler waits for
   * it.
   */
  default void piped(Future<?> future) {}

  /** See {@link Actor#watch}. */
  void watch(ActorRef<?> actor, Function<Terminated, ?> message);

  /** See {@link Actor#unwatch}. */
  void unwatch(ActorRef<?> actor);

  /** See {@link Actor#stopSelf}. */
  void stopSelf();

  /** See {@link Actor#resetBackoff}. */
  default void resetBackoff() {}

  /** See {@link Actor#isOver}. */
  boolean isOver();

  /** See {@link Actor#spawnChild}. */
  <T> Future<ActorRef<T>> spawnChild(
      String name, Supplier<? extends Actor<T>> factory, ActorOptions options);
}
