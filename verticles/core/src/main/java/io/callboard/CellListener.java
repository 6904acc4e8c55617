package io.callboard;

/** Facts about the cell that an operator's program reacts to. Called on an event loop. */
public interface CellListener {
  /** Nodes came or went, or changed what they publish. */
  default void membersChanged() {}

  /** The session with the store is over: what others may own by now must be stopped. */
  default void sessionLost() {}
}
