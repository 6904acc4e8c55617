package io.callboard;

import io.callboard.codecs.TraceContext;
import io.callboard.journal.Recovery;
import io.callboard.store.MailPlace;
import io.callboard.time.Time;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What the toolkit gives to one started actor object; users reach it through the protected methods
 * of {@link Actor}. Used on the actor's own context only.
 */
public interface ActorContext {
  /** Under which a Vert.x context holds the one of the durable actor deployed in it. */
  String KEY = "io.callboard.actor-context";

  Callboard callboard();

  ActorRef<?> self();

  /** What a durable actor starts from. */
  Recovery recovery();

  /** See {@link Actor#reply}. */
  void reply(Object answer);

  /** Whether nothing may be changed now: see {@link Protocol#query}. */
  default void readOnly(boolean now) {}

  /** See {@link Actor#afterCommit}. */
  void afterCommit(Runnable effect);

  /** The state of the last commit is {@code state}: the actor begins with it. */
  default void restored(Object state) {}

  /**
   * The turn's state is now {@code state}.
   *
   * @throws IllegalStateException outside of a turn
   */
  void state(Object state);

  /** The turn's next event is {@code event}; it goes to the feeds of those tags, too. */
  void event(Object event, Set<String> tags);

  /** See {@link DurableActor#place}. */
  default MailPlace place() {
    throw new IllegalStateException("this actor has no mailbox that lasts");
  }

  /** See {@link DurableActor#enlist}. */
  void enlist(Object work);

  /** See {@link DurableActor#deleteSelf}. */
  void delete();

  /** The next messages may be handled while the turn commits. */
  void goOn();

  /** A snapshot is to be made of the state after the turn. */
  void wishSnapshot();

  /** Sends as a part of the turn, or at once where there is none. */
  void tell(ActorRef<?> receiver, Object message, TellOptions options);

  /** See {@link Actor#tellAll}. */
  default void tellAll(Collection<? extends ActorRef<?>> receivers, Object message) {
    receivers.forEach(receiver -> tell(receiver, message, TellOptions.NONE));
  }

  /** See {@link Actor#forward}. */
  void forward(ActorRef<?> receiver, Object message);

  /** See {@link Actor#forward(ActorRef, Object, Runnable)}. */
  void forward(ActorRef<?> receiver, Object message, Runnable over);

  /** See {@link Actor#forwardAll}. */
  void forwardAll(Collection<? extends ActorRef<?>> receivers, Object message);

  /** See {@link Actor#replyWhen}. */
  void replyWhen(Future<?> answer);

  /** See {@link Actor#refuse}. */
  void refuse(Object message, CallboardException cause);

  /** See {@link Actor#keep}. */
  <M> HeldMessage<M> keep(M message);

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

  /** The actor is about to behave otherwise from the next message on. */
  default void became() {}

  /** Calls the handler of the message at hand, which may return a future: its turn waits for it. */
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

  /** See {@link DurableActor#startDurableTimer}. */
  void startDurableTimer(String key, Duration delay, Object message, boolean periodic);

  /** See {@link DurableActor#cancelDurableTimer}. */
  void cancelDurableTimer(String key);

  /** See {@link DurableActor#deliver}. */
  <T> long deliver(ActorRef<T> destination, LongFunction<? extends T> message);

  /** See {@link DurableActor#confirm}. */
  boolean confirm(long id);

  /** See {@link DurableActor#unconfirmed}. */
  int unconfirmed();

  /** See {@link Actor#receiveTimeout}. */
  void receiveTimeout(Duration idle, Object message);

  /** See {@link Actor#cancelReceiveTimeout}. */
  void cancelReceiveTimeout();

  /** Puts a message of the actor to itself into its mailbox, in memory. */
  void tellSelf(Object message);

  /** The same as a part of that trace; null for none. */
  default void tellSelf(Object message, @Nullable TraceContext trace) {
    tellSelf(message);
  }

  /** The outcome of {@code future} is piped to the actor: no handler waits for it. */
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
