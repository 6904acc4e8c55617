package io.callboard.codecs;

import java.util.Arrays;
import java.util.List;

/**
 * What an actor keeps in its outbox until it takes it away itself: a line of JSON that says what it
 * is, then a {@link Segment} of one message. Others there are messages on their way ({@link
 * OutboxEntry}).
 */
public sealed interface OutboxEntryKind permits TimerEntry, DeliveryEntry {
  /** What is told when it is due. */
  Envelope message();

  /** As it is stored. */
  byte[] encode();

  /** The line, and behind it the message. */
  static byte[] encode(byte[] line, Envelope message) {
    byte[] segment = Segment.encode(List.of(message));
    byte[] entry = Arrays.copyOf(line, line.length + 1 + segment.length);
    entry[line.length] = '\n';
    System.arraycopy(segment, 0, entry, line.length + 1, segment.length);
    return entry;
  }

  /** The message behind the first line. */
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

  /** Whether an entry begins like that. */
  static boolean begins(byte[] entry, byte[] start) {
    return entry.length > start.length
        && Arrays.equals(entry, 0, start.length, start, 0, start.length);
  }
}
