package io.callboard.grid;

/** Operator's request to one node of the grid, sent from any node. */
sealed interface NodeRequest {
  /**
   * Hands over that role, unless it has another holder by now.
   *
   * @param epoch epoch in which the node held the role
   */
  record HandOver(String role, long epoch) implements NodeRequest {}

  /** Looks for partitions to own, and for mail, that no node has. */
  record Look() implements NodeRequest {}

  /** Looks at the node's own actors; sent by the node to itself at intervals. */
  record Wake() implements NodeRequest {}

  /**
   * Gives back what other nodes offer and takes nothing that they do; or, if not {@code draining},
   * ends that.
   */
  record Drain(boolean draining) implements NodeRequest {}
}
