package io.callboard.cell;

/** Facts about the cell that an operator's program reacts to. Called on an event loop. */
public interface CellListener {
  /** Nodes came or went, or changed what they publish. */
  default void membersChanged() {}

  /**
   * The store was heard. Told several times a session; with a store whose sessions do not end by
   * time, never. What others must not do beside this node, it must not do any more once that time
   * has passed and this was not told again.
   *
   * @param untilNanos until when the session lives at least, whatever happens, by {@link
   *     System#nanoTime}
   */
  default void sessionLives(long untilNanos) {}

  /** The session with the store is over: what others may own by now must be stopped. */
  default void sessionLost() {}
}
