package io.callboard.grid;

/** Operator's request to one node of the grid, sent from any node. */
sealed interface NodeRequest {
  /**
   * Hands over that role, unless it has another holder by now.
   *
   * @param epoch epoch in which the node held the role
   */
  record HandOver(String role, long epoch) implements NodeRequest {}

  /** Checks for partitions, and for mail, that no node has. */
  record Look() implements NodeRequest {}

  /** Checks the node's own actors; sent by the node to itself at intervals. */
  record Wake() implements NodeRequest {}

  /**
   * Gives back the partitions and roles that other nodes offer, and takes no such ones; or, if not
   * {@code draining}, takes them again.
   */
  record Drain(boolean draining) implements NodeRequest {}
}
