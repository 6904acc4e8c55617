package io.callboard;

import io.callboard.journal.Recovery;
import io.callboard.store.MailPlace;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongFunction;

/**
 * Services of the toolkit for one started durable actor: in addition to those of every actor, its
 * state and events, and what is stored with its turns. Confined to the actor's context.
 */
public interface DurableContext extends ActorContext {
  /** Returns the stored data from which the actor recovers. */
  Recovery recovery();

  /** Reports the recovered state, that of the last commit, with which the actor begins. */
  default void restored(Object state) {}

  /**
   * Sets the state of the turn.
   *
   * @throws IllegalStateException outside of a turn
   */
  void state(Object state);

  /** Adds an event to the turn; it also goes to the feeds of these tags. */
  void event(Object event, Set<String> tags);

  /** See {@link DurableActor#place}. */
  MailPlace place();

  /** See {@link DurableActor#beforeLastAttempt}. */
  Optional<Throwable> beforeLastAttempt();

  /** See {@link DurableActor#enlist}. */
  void enlist(Object work);

  /** See {@link DurableActor#deleteSelf}. */
  void delete();

  /** Allows that the next messages are handled while this turn commits. */
  void goOn();

  /** Requests a snapshot of the state after this turn. */
  void wishSnapshot();

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
}
