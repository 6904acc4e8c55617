package io.callboard.internal.link;

import io.callboard.time.Machine;

/** The machine of the frames that come in over one link: notices the lost and the repeated. */
@Machine
final class Inbound {
  /** The frame is late or was here before: it must not be handled. */
  static final long REPEATED = -1;

  private final long link;
  private long expected = 1;

  Inbound(long link) {
    this.link = link;
  }

  long link() {
    return link;
  }

  /** How many frames before this one never came, or {@link #REPEATED}. */
  long arrived(long sequence) {
    if (sequence < expected) {
      return REPEATED;
    }
    long lost = sequence - expected;
    expected = sequence + 1;
    return lost;
  }
}
