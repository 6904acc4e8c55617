package io.callboard.bench;

/** What actors in memory are told; each contender is given the same objects. */
sealed interface Signal {
  /**
   * One of a stream.
   *
   * @param number counts what its sender sent
   */
  record Item(int sender, long number, boolean endsBurst) implements Signal {}

  /** One burst more may be under way. */
  record More() implements Signal {}

  /** Passed from one actor of a ring to the next, without end. */
  record Hop(int to, long number) implements Signal {}
}
