package io.callboard.grid;

/** What an operator, on whichever node, asks of one node of the grid. */
sealed interface GridCommand {
  /** Hand over that role. Answered with {@link Done}. */
  record HandOver(String role) implements GridCommand {}

  /** The answer. */
  record Done() {}
}
