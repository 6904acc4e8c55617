package io.callboard;

import io.callboard.store.Loaded;
import java.time.Duration;

/**
 * What the toolkit gives to one started actor object; users reach it through the protected methods
 * of {@link Actor}. Used on the actor's own context only.
 */
public interface ActorContext {
  /** Under which a Vert.x context holds the one of the actor deployed in it. */
  String KEY = "io.callboard.actor-context";

  Callboard callboard();

  ActorRef<?> self();

  /** What a durable actor starts from. */
  Loaded loaded();

  /** See {@link Actor#reply}. */
  void reply(Object answer);

  /** See {@link Actor#afterCommit}. */
  void afterCommit(Runnable effect);

  /** The turn's state is now {@code state}. */
  void state(Object state);

  /** The turn's next event is {@code event}. */
  void event(Object event);

  /** Sends as a part of the turn, or at once where there is none. */
  void tell(ActorRef<?> receiver, Object message);

  /** See {@link Actor#startTimer}. */
  void startTimer(String key, Duration delay, Object message);

  /** See {@link Actor#cancelTimer}. */
  void cancelTimer(String key);

  /** Puts a message of the actor to itself into its mailbox, in memory. */
  void tellSelf(Object message);
}
