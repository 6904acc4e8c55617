package io.callboard.workflows.internal.worker;

import io.callboard.Broadcast;
import io.callboard.Callboard;

/**
 * News that a desk has started. Small and rare: who misses it learns it from the desk's answers.
 *
 * @param epoch epoch of the desk
 */
public record DeskOpened(long epoch) {
  /** Returns the broadcast of these news. */
  public static Broadcast<DeskOpened> of(Callboard callboard) {
    return callboard.broadcast("workflow-desk", DeskOpened.class);
  }
}
