package io.callboard.bench;

/** Message to volatile actors; each contender is given the same objects. */
sealed interface Signal {
  /**
   * Message of a stream.
   *
   * @param number number of messages that its sender has sent
   */
  record Item(int sender, long number, boolean endsBurst) implements Signal {}

  /** Permission for one more burst. */
  record More() implements Signal {}

  /** Passed from one actor of a ring to the next, without end. */
  record Hop(int to, long number) implements Signal {}
}
