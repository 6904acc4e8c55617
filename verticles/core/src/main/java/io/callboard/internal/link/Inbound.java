package io.callboard.internal.link;

import io.callboard.time.Machine;

/**
 * Sequence check of the frames that come in over one link: detects lost and repeated ones. A
 * machine without I/O.
 */
@Machine
final class Inbound {
  /** Result for a frame that is late or repeated, and must not be handled. */
  static final long REPEATED = -1;

  private final long link;
  private long expected = 1;

  Inbound(long link) {
    this.link = link;
  }

  long link() {
    return link;
  }

  /**
   * Reports a frame.
   *
   * @return how many frames before it never came, or {@link #REPEATED}
   */
  long arrived(long sequence) {
    if (sequence < expected) {
      return REPEATED;
    }
    long lost = sequence - expected;
    expected = sequence + 1;
    return lost;
  }
}
