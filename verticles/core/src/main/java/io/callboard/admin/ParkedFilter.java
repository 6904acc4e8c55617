package io.callboard.admin;

import io.callboard.codecs.ActorPath;
import java.util.Optional;

/**
 * Which parked messages are meant; what is empty does not matter.
 *
 * @param actor it, or those below it
 * @param type the name of the message's type
 * @param cause what the cause contains
 */
public record ParkedFilter(
    Optional<ActorPath> actor, Optional<String> type, Optional<String> cause) {
  /** Every parked message of the cell. */
  public static final ParkedFilter ALL =
      new ParkedFilter(Optional.empty(), Optional.empty(), Optional.empty());
}
