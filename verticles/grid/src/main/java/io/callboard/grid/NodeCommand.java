package io.callboard.grid;

/** What an operator, on whichever node, wants of one node of the grid. */
sealed interface NodeCommand {
  /**
   * Hand over that role, unless it has another holder by now.
   *
   * @param epoch in which the node held it
   */
  record HandOver(String role, long epoch) implements NodeCommand {}

  /** Look whether there is something to own, or mail, that nobody has. */
  record Look() implements NodeCommand {}

  /** Told by the node to itself, from time to time: look at your own actors. */
  record Wake() implements NodeCommand {}

  /** Give back what others offer, and take nothing that they do, until told otherwise. */
  record Drain(boolean draining) implements NodeCommand {}
}
