package io.callboard.store;

/**
 * Numbering of a mailbox's generations, which exist because a store's counter of segments is
 * finite: ZooKeeper's returns its last number again and again. Long before, the owner seals a
 * generation, senders continue in the next, and the sealed one is removed when it is empty.
 *
 * <p>A segment's sequence holds the generation in its upper 32 bits and the store's number in the
 * lower, so that sequences order the mail of all generations.
 */
public final class Generation {
  /** The number after which a generation is sealed: half of what the counter can do. */
  public static final long LAST_NUMBER = 1L << 30;

  private Generation() {}

  /** Returns the generation of a segment's sequence. */
  public static long of(long sequence) {
    return sequence >>> 32;
  }

  /** Returns the store's number of a segment. */
  public static long number(long sequence) {
    return sequence & 0xffff_ffffL;
  }

  /** Returns the sequence of a segment. */
  public static long sequence(long generation, long number) {
    return generation << 32 | number;
  }

  /**
   * Returns whether a segment with that sequence may be the next one where {@code expected} was
   * expected.
   */
  public static boolean follows(long sequence, long expected) {
    return sequence == expected || (number(sequence) == 0 && of(sequence) == of(expected) + 1);
  }
}
