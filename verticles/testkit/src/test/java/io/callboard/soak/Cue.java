package io.callboard.soak;

/** What the actors of the tree are told. */
sealed interface Cue {
  /**
   * @param number grows with each message to one actor
   */
  record Act(long number, Fault fault) implements Cue {}

  record Count() implements Cue {}
}
