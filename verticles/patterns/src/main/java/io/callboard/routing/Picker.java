package io.callboard.routing;

import java.util.List;

/** Chooses one routee for each message. Without I/O; used by one router on its context. */
interface Picker<M> {
  /**
   * The place of the routee.
   *
   * @param routees at least one
   */
  int pick(M message, List<Routee<M>> routees);
}
