package io.callboard.cell;

/** Listener of events of the cell: membership and the node's session. Called on an event loop. */
public interface CellListener {
  /** Reports that nodes joined or left, or changed the facts that they publish. */
  default void membersChanged() {}

  /**
   * Reports that the session is known to live until {@code untilNanos}, because the store has
   * answered. Called several times a session; never with a store whose sessions do not expire. Work
   * that no two nodes may do at the same time must stop when that time has passed without another
   * call.
   *
   * @param untilNanos until when the session lives at least, whatever happens, by {@link
   *     System#nanoTime}
   */
  default void sessionLives(long untilNanos) {}

  /**
   * Reports that the session with the store has ended: work on partitions and roles that other
   * nodes may own by now must stop.
   */
  default void sessionLost() {}
}
