package io.callboard.admin;

import io.callboard.codecs.ActorPath;
import java.util.Optional;

/**
 * Filter of parked messages; an empty criterion matches all.
 *
 * @param actor that actor, or the actors below that path
 * @param type the name of the message's type
 * @param cause a text that the cause contains
 */
public record ParkedFilter(
    Optional<ActorPath> actor, Optional<String> type, Optional<String> cause) {
  /** Every parked message of the cell. */
  public static final ParkedFilter ALL =
      new ParkedFilter(Optional.empty(), Optional.empty(), Optional.empty());
}
