package io.callboard.soak;

/** Message to the actors of the tree. */
sealed interface Cue {
  /**
   * @param number grows with each message to one actor
   */
  record Act(long number, Fault fault) implements Cue {}

  record Count() implements Cue {}
}
