package io.callboard.turn;

import io.callboard.codecs.Envelope;
import org.jspecify.annotations.Nullable;

/**
 * A message read from a durable mailbox.
 *
 * @param sequence of its segment
 * @param index in its segment
 * @param last whether it is the last one there
 * @param envelope null if the segment cannot be read
 * @param broken why; null if it can
 */
record Input(
    long sequence,
    int index,
    boolean last,
    @Nullable Envelope envelope,
    @Nullable Throwable broken) {

  /** About what it holds, in bytes. */
  int size() {
    return envelope == null ? 0 : envelope.size();
  }

  String id() {
    return sequence + "-" + index;
  }
}
