package io.callboard.journal;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.MessageType;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Failure to recover the state of a persistent actor from its stored snapshots and events, so that
 * it is not started. The message names the event and the remedy.
 */
public final class ReplayException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ActorPath actor;
  private final long event;
  private final transient @Nullable MessageType type;

  /**
   * Creates a failure at one event.
   *
   * @param type of the event, as it was written; null if it is not known
   */
  ReplayException(
      ActorPath actor,
      long event,
      @Nullable MessageType type,
      String why,
      @Nullable Throwable cause) {
    super(
        "event %d%s of %s cannot be replayed: %s"
            .formatted(
                event,
                type == null ? "" : " (\"%s\" version %d)".formatted(type.name(), type.version()),
                actor,
                why),
        cause);
    this.actor = actor;
    this.event = event;
    this.type = type;
  }

  /** Returns the path of the actor that could not be recovered. */
  public ActorPath actor() {
    return actor;
  }

  /**
   * Returns the number of the event that could not be replayed; an actor's events are numbered from
   * 1.
   */
  public long event() {
    return event;
  }

  /** Returns the type of that event, as it was written; empty if it is not known. */
  public Optional<MessageType> type() {
    return Optional.ofNullable(type);
  }
}
