package io.callboard.codecs;

import java.util.Arrays;
import java.util.List;

/**
 * Entry of an outbox that stays there until its actor removes it: a line of JSON that names its
 * kind, then a {@link Segment} of one message. The other entries are messages on their way ({@link
 * OutboxEntry}).
 */
public sealed interface OutboxEntryKind permits TimerEntry, DeliveryEntry {
  /** Returns the message that is sent when the entry is due. */
  Envelope message();

  /** Returns the entry as it is stored. */
  byte[] encode();

  /** Returns the line, followed by the message. */
  static byte[] encode(byte[] line, Envelope message) {
    byte[] segment = Segment.encode(List.of(message));
    byte[] entry = Arrays.copyOf(line, line.length + 1 + segment.length);
    entry[line.length] = '\n';
    System.arraycopy(segment, 0, entry, line.length + 1, segment.length);
    return entry;
  }

  /** Returns the message behind the first line. */
  static Envelope message(String what, byte[] entry) {
    int end = LineCursor.endOfLine(entry, 0);
    List<Envelope> messages =
        end == entry.length
            ? List.of()
            : Segment.decode(what, Arrays.copyOfRange(entry, end + 1, entry.length));
    if (messages.size() != 1) {
      throw CodecException.malformed(
          what, "it holds %d messages, not one".formatted(messages.size()));
    }
    return messages.get(0);
  }

  /** Returns whether an entry begins with {@code start} and has more behind it. */
  static boolean begins(byte[] entry, byte[] start) {
    return entry.length > start.length
        && Arrays.equals(entry, 0, start.length, start, 0, start.length);
  }
}
