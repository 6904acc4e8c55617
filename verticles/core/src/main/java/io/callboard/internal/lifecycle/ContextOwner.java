package io.callboard.internal.lifecycle;

import io.callboard.internal.mailbox.Delivery;

/** Owner of the context of an actor: the object that hands messages to the actor. */
public interface ContextOwner {
  /** Hands a message that the actor sent itself, by whatever way, to the actor. Any thread. */
  void offerOwn(Delivery own);

  /** Records a call that was refused because it belongs to no turn. Any thread. */
  void refusedCall(IllegalStateException cause);
}
