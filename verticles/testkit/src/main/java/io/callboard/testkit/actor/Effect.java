package io.callboard.testkit.actor;

import io.callboard.TellOptions;
import java.time.Duration;

/** Effect of a {@link TestedActor}. Actors are named by their paths. */
public sealed interface Effect {
  /**
   * Answer to the message being handled.
   *
   * @param answer the answer
   */
  record Answered(Object answer) implements Effect {}

  /**
   * Message told to another actor.
   *
   * @param to path of that actor
   * @param message the message
   * @param options its options
   */
  record Sent(String to, Object message, TellOptions options) implements Effect {
    /** Creates the effect without options. */
    public Sent(String to, Object message) {
      this(to, message, TellOptions.NONE);
    }
  }

  /**
   * Message forwarded to another actor, together with the right to answer it.
   *
   * @param to path of that actor
   * @param message the message
   */
  record Forwarded(String to, Object message) implements Effect {}

  /**
   * Refusal of the message being handled.
   *
   * @param message the message
   * @param cause text of the cause
   */
  record Refused(Object message, String cause) implements Effect {}

  /**
   * Ask of another actor; see {@link TestedActor#answer}.
   *
   * @param to path of that actor
   * @param message the message
   */
  record Asked(String to, Object message) implements Effect {}

  /**
   * Message told to the actor itself, as {@code pipeToSelf} does.
   *
   * @param message the message
   */
  record ToldSelf(Object message) implements Effect {}

  /**
   * Change of the state.
   *
   * @param state the new state
   */
  record Updated(Object state) implements Effect {}

  /**
   * Persisted event; the {@link Updated} after it has the resulting state.
   *
   * @param event the event
   */
  record Persisted(Object event) implements Effect {}

  /**
   * Addition of the last event to a feed.
   *
   * @param tag tag of the feed
   * @param event the event
   */
  record Fed(String tag, Object event) implements Effect {}

  /**
   * Work enlisted for the flush before the commit; a tested actor does not perform it.
   *
   * @param work the work
   */
  record Enlisted(Object work) implements Effect {}

  /** Registration of an action to run after the commit; the action was run. */
  record AfterCommit() implements Effect {}

  /** Change of the behaviour from the next message on. */
  record Became() implements Effect {}

  /**
   * Stashing of the message being handled.
   *
   * @param message the message
   */
  record Stashed(Object message) implements Effect {}

  /**
   * Unstashing of messages.
   *
   * @param messages their number
   */
  record Unstashed(int messages) implements Effect {}

  /**
   * Start of a timer; see {@link TestedActor#fire}.
   *
   * @param key its key
   * @param delay delay or period
   * @param message message that it sends
   * @param periodic whether it repeats
   */
  record TimerStarted(String key, Duration delay, Object message, boolean periodic)
      implements Effect {}

  /**
   * Start of a durable timer; see {@link TestedActor#fire}.
   *
   * @param key its key
   * @param delay delay or period
   * @param message message that it sends
   * @param periodic whether it repeats
   */
  record DurableTimerStarted(String key, Duration delay, Object message, boolean periodic)
      implements Effect {}

  /**
   * Cancellation of a durable timer.
   *
   * @param key its key
   */
  record DurableTimerCancelled(String key) implements Effect {}

  /**
   * Message that is delivered until its id is confirmed.
   *
   * @param id the id
   * @param to path of the receiver
   * @param message the message
   */
  record Delivered(long id, String to, Object message) implements Effect {}

  /**
   * Confirmation of a delivery.
   *
   * @param id its id
   */
  record Confirmed(long id) implements Effect {}

  /**
   * Cancellation of a timer.
   *
   * @param key its key
   */
  record TimerCancelled(String key) implements Effect {}

  /**
   * Start of a receive timeout; see {@link TestedActor#idle}.
   *
   * @param idle the timeout
   * @param message message that it sends
   */
  record IdleTimerStarted(Duration idle, Object message) implements Effect {}

  /** Cancellation of the receive timeout. */
  record IdleTimerCancelled() implements Effect {}

  /**
   * Watch of another actor; see {@link TestedActor#ended}.
   *
   * @param actor path of that actor
   */
  record Watched(String actor) implements Effect {}

  /**
   * End of a watch.
   *
   * @param actor path of the watched actor
   */
  record Unwatched(String actor) implements Effect {}

  /**
   * Start of a child.
   *
   * @param path path of the child
   * @param type its class
   */
  record Spawned(String path, Class<?> type) implements Effect {}

  /** Deletion of the actor with the message being handled; it begins anew. */
  record Deleted() implements Effect {}

  /** Stop of the actor after the message being handled. */
  record Stopped() implements Effect {}
}
