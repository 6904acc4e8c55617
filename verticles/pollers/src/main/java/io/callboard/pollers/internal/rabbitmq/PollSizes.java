package io.callboard.pollers.internal.rabbitmq;

import io.callboard.pollers.source.Source;
import io.callboard.time.Machine;

/**
 * Number of messages that a poll asks for: smaller while they are large, because a server sends all
 * that it was asked for, and takes no limit in bytes. Begins with one, for nobody knows their size
 * yet, also after a failure that large ones may have caused. Without I/O.
 */
@Machine
final class PollSizes {
  /** Bytes of a poll above which the next one is smaller. */
  static final long BUDGET = Source.MOST_BYTES;

  static final int FIRST = 1;

  /**
   * Enough for one round trip, whatever is asked for; a poll may have to hold as many large ones.
   */
  static final int MOST = 128;

  private int size = FIRST;

  /**
   * Returns the number of messages that the next poll asks for.
   *
   * @param most maximum number
   */
  int next(int most) {
    return Math.min(most, size);
  }

  /** Adapts the size of the next poll to the messages of the last one. */
  void took(int messages, long bytes) {
    if (bytes > BUDGET) {
      size = (int) Math.max(1, Math.min(size, messages * BUDGET / bytes));
    } else if (messages >= size && bytes <= BUDGET / 4) {
      size = Math.min(MOST, 2 * size);
    }
  }
}
