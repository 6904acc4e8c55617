package io.callboard.testkit.actor;

import io.callboard.TellOptions;
import java.time.Duration;

/** Something that a {@link TestedActor} did, other than to compute. Actors are named by path. */
public sealed interface Effect {
  /** It answered the message at hand. */
  record Answered(Object answer) implements Effect {}

  /** It told another actor something. */
  record Sent(String to, Object message, TellOptions options) implements Effect {
    /** With no options. */
    public Sent(String to, Object message) {
      this(to, message, TellOptions.NONE);
    }
  }

  /** It passed something on with whoever waits for the answer. */
  record Forwarded(String to, Object message) implements Effect {}

  /** It did not handle the message at hand. */
  record Refused(Object message, String cause) implements Effect {}

  /** It asks another actor; see {@link TestedActor#answer}. */
  record Asked(String to, Object message) implements Effect {}

  /** It told itself something, as {@code pipeToSelf} does. */
  record ToldSelf(Object message) implements Effect {}

  /** Its state is another one. */
  record Updated(Object state) implements Effect {}

  /** An event has happened; the state it leads to is told by the {@link Updated} after it. */
  record Persisted(Object event) implements Effect {}

  /** The last event goes to that feed, too. */
  record Fed(String tag, Object event) implements Effect {}

  /** It wants this done with its commit, before it; a tested actor does not do it. */
  record Enlisted(Object work) implements Effect {}

  /** It wants something done after the commit, which is done then. */
  record AfterCommit() implements Effect {}

  /** It behaves otherwise from the next message on. */
  record Became() implements Effect {}

  /** It put the message at hand aside. */
  record Stashed(Object message) implements Effect {}

  /** It took up so many again. */
  record Unstashed(int messages) implements Effect {}

  /** It started a timer; see {@link TestedActor#fire}. */
  record TimerStarted(String key, Duration delay, Object message, boolean periodic)
      implements Effect {}

  /** It started a durable timer; see {@link TestedActor#fire}. */
  record DurableTimerStarted(String key, Duration delay, Object message, boolean periodic)
      implements Effect {}

  /** It wants no more of a durable timer. */
  record DurableTimerCancelled(String key) implements Effect {}

  /** It delivers a message until that id is confirmed. */
  record Delivered(long id, String to, Object message) implements Effect {}

  /** What it delivered under that id is done. */
  record Confirmed(long id) implements Effect {}

  /** It wants no more of a timer. */
  record TimerCancelled(String key) implements Effect {}

  /** It wants to be told when nothing happens; see {@link TestedActor#idle}. */
  record IdleTimerStarted(Duration idle, Object message) implements Effect {}

  /** It does not want that any more. */
  record IdleTimerCancelled() implements Effect {}

  /** It watches another actor; see {@link TestedActor#ended}. */
  record Watched(String actor) implements Effect {}

  /** It does not any more. */
  record Unwatched(String actor) implements Effect {}

  /** It started an actor below itself, of that class. */
  record Spawned(String path, Class<?> type) implements Effect {}

  /** Nothing of it is left after the message at hand: it begins anew. */
  record Deleted() implements Effect {}

  /** It ends when the message at hand is handled. */
  record Stopped() implements Effect {}
}
