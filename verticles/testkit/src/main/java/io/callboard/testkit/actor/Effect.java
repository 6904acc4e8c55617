package io.callboard.testkit.actor;

import io.callboard.TellOptions;
import java.time.Duration;

/** An effect of a {@link TestedActor}. Actors are named by their paths. */
public sealed interface Effect {
  /** It answered the message being handled. */
  record Answered(Object answer) implements Effect {}

  /** It told another actor a message. */
  record Sent(String to, Object message, TellOptions options) implements Effect {
    /** With no options. */
    public Sent(String to, Object message) {
      this(to, message, TellOptions.NONE);
    }
  }

  /** It forwarded a message, with whoever waits for the answer. */
  record Forwarded(String to, Object message) implements Effect {}

  /** It refused the message being handled. */
  record Refused(Object message, String cause) implements Effect {}

  /** It asks another actor; see {@link TestedActor#answer}. */
  record Asked(String to, Object message) implements Effect {}

  /** It told itself a message, as {@code pipeToSelf} does. */
  record ToldSelf(Object message) implements Effect {}

  /** Its state has changed. */
  record Updated(Object state) implements Effect {}

  /** It persisted an event; the {@link Updated} after it has the resulting state. */
  record Persisted(Object event) implements Effect {}

  /** The last event also goes to the feed of that tag. */
  record Fed(String tag, Object event) implements Effect {}

  /** It enlisted work for the flush before its commit; a tested actor does not perform it. */
  record Enlisted(Object work) implements Effect {}

  /** It registered an action to run after the commit, which was run. */
  record AfterCommit() implements Effect {}

  /** It changed its behaviour from the next message on. */
  record Became() implements Effect {}

  /** It stashed the message being handled. */
  record Stashed(Object message) implements Effect {}

  /** It unstashed so many messages. */
  record Unstashed(int messages) implements Effect {}

  /** It started a timer; see {@link TestedActor#fire}. */
  record TimerStarted(String key, Duration delay, Object message, boolean periodic)
      implements Effect {}

  /** It started a durable timer; see {@link TestedActor#fire}. */
  record DurableTimerStarted(String key, Duration delay, Object message, boolean periodic)
      implements Effect {}

  /** It cancelled a durable timer. */
  record DurableTimerCancelled(String key) implements Effect {}

  /** It delivers a message until that id is confirmed. */
  record Delivered(long id, String to, Object message) implements Effect {}

  /** It confirmed the delivery with that id. */
  record Confirmed(long id) implements Effect {}

  /** It cancelled a timer. */
  record TimerCancelled(String key) implements Effect {}

  /** It set a receive timeout; see {@link TestedActor#idle}. */
  record IdleTimerStarted(Duration idle, Object message) implements Effect {}

  /** It cancelled its receive timeout. */
  record IdleTimerCancelled() implements Effect {}

  /** It watches another actor; see {@link TestedActor#ended}. */
  record Watched(String actor) implements Effect {}

  /** It ended a watch. */
  record Unwatched(String actor) implements Effect {}

  /** It started a child of that class. */
  record Spawned(String path, Class<?> type) implements Effect {}

  /** It deleted itself with the message being handled, and begins anew. */
  record Deleted() implements Effect {}

  /** It stops when the message is handled. */
  record Stopped() implements Effect {}
}
