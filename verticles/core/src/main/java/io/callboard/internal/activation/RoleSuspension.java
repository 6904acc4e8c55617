package io.callboard.internal.activation;

import io.callboard.internal.ownership.PartitionOwnership;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Suspension of this node's roles while they may be held elsewhere: from two thirds of a session
 * without contact to the store, until the leases could be read again. Used on the durable context.
 */
public final class RoleSuspension {
  private static final Logger log = LoggerFactory.getLogger(RoleSuspension.class);

  private final ActiveActors activeActors;
  private final Runnable goesOn;
  private boolean outOfTouch;
  private boolean heard = true;

  /**
   * @param goesOn called after roles were resumed: mail may have come
   */
  RoleSuspension(ActiveActors activeActors, Runnable goesOn) {
    this.activeActors = activeActors;
    this.goesOn = goesOn;
  }

  /** Returns whether the roles are suspended. */
  boolean rests() {
    return outOfTouch;
  }

  public void inTouch(boolean inTouch, PartitionOwnership ownership) {
    heard = inTouch;
    if (outOfTouch != inTouch) {
      return;
    }
    if (inTouch) {
      log.info(
          "the store answers again: the roles of this node are resumed, as far as it still holds them");
      ownership.look().onSuccess(looked -> looked(ownership));
    } else {
      log.warn(
          "the store has not answered for two thirds of the session timeout: the roles of this node are suspended until it does");
      outOfTouch = true;
      rest();
    }
  }

  private void rest() {
    for (ActiveActors.Entry entry : activeActors.all()) {
      if (entry.partition().isRole() && entry.isOwned()) {
        activeActors.disown(entry);
      }
    }
  }

  private void looked(PartitionOwnership ownership) {
    if (!heard || !outOfTouch) {
      return;
    }
    outOfTouch = false;
    for (ActiveActors.Entry entry : activeActors.all()) {
      if (entry.partition().isRole() && !entry.isOwned()) {
        ownership.lease(entry.path()).ifPresent(entry.runner()::own);
      }
    }
    goesOn.run();
  }
}
