package io.callboard.journal;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.MessageType;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state of a persistent actor could not be made again of what is stored: it is not started. The
 * message says at which event, and what would be right.
 */
public final class ReplayException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ActorPath actor;
  private final long event;
  private final transient @Nullable MessageType type;

  /**
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

  public ActorPath actor() {
    return actor;
  }

  /** The number of the event that could not be replayed: an actor's events count from 1. */
  public long event() {
    return event;
  }

  /** The type of that event, as it was written; empty if it is not known. */
  public Optional<MessageType> type() {
    return Optional.ofNullable(type);
  }
}
