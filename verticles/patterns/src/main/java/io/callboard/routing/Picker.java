package io.callboard.routing;

import java.util.List;

/**
 * Strategy that chooses one routee for each message. Without I/O; confined to the context of one
 * router.
 */
interface Picker<M> {
  /**
   * Returns the index of the chosen routee.
   *
   * @param routees at least one
   */
  int pick(M message, List<Routee<M>> routees);
}
