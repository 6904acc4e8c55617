package io.callboard;

import io.callboard.supervision.Failure;
import org.jspecify.annotations.Nullable;

/**
 * Notice that a watched actor has ended: it was stopped, its supervisor gave it up, its node left
 * the cell, or no such actor existed. A restart is no end.
 *
 * @param reason a text for people
 * @param cause the failure that ended it: its own, or that of the failure zone that it ended with;
 *     {@link Failure.Kind#NODE_LOST} if its node is gone and had reported no end. Null if it was
 *     stopped, by itself, its program or an operator, or did not exist when the watch began
 */
public record Terminated(ActorRef<?> actor, String reason, @Nullable Failure cause) {
  /** Creates the end of an actor that was stopped. */
  public Terminated(ActorRef<?> actor, String reason) {
    this(actor, reason, null);
  }
}
