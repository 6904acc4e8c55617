package io.callboard;

import io.callboard.supervision.Failure;
import org.jspecify.annotations.Nullable;

/**
 * An actor that was watched runs no more: it was stopped, its supervisor gave it up, or its node
 * left the cell; or no such actor was there. A restart is no end.
 *
 * @param reason for people
 * @param cause the failure that ended it: its own, or that of the failure zone that it ended with;
 *     {@link Failure.Kind#NODE_LOST} if its node is gone and had reported no end. Null if it was
 *     stopped, by itself, its program or an operator, or was not there when the watch began
 */
public record Terminated(ActorRef<?> actor, String reason, @Nullable Failure cause) {
  /** The end of one that was stopped. */
  public Terminated(ActorRef<?> actor, String reason) {
    this(actor, reason, null);
  }
}
