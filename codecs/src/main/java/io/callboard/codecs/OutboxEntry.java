package io.callboard.codecs;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Messages that their sender keeps until there is room in their mailboxes, as they are stored: a
 * line that says whom they are for, then a {@link Segment} for each.
 *
 * <pre>
 * {"f":1,"to":[{"actor":"/a/b","bytes":93},{"actor":"/c/d","bytes":88}]}
 * {"f":2,"n":1,"c":"9ae0daaf"}
 * …
 * </pre>
 */
public final class OutboxEntry {
  /** The format that this code writes; it reads this and every older one. */
  public static final int FORMAT = 1;

  private OutboxEntry() {}

  private record Header(int f, List<Part> to) {}

  private record Part(String actor, int bytes) {}

  /**
   * Returns the bytes of an entry.
   *
   * @param mail by receiver, each list in order and not empty
   */
  public static byte[] encode(Map<ActorPath, List<Envelope>> mail) {
    List<Part> parts = new ArrayList<>();
    ByteArrayOutputStream segments = new ByteArrayOutputStream();
    mail.forEach(
        (receiver, envelopes) -> {
          byte[] segment = Segment.encode(envelopes);
          parts.add(new Part(receiver.toString(), segment.length));
          segments.writeBytes(segment);
        });
    ByteArrayOutputStream entry = new ByteArrayOutputStream();
    entry.writeBytes(Json.bytes(new Header(FORMAT, parts)));
    entry.write('\n');
    entry.writeBytes(segments.toByteArray());
    return entry.toByteArray();
  }

  /**
   * Reads an entry; empty for an {@link OutboxEntryKind}, which is on no way to a mailbox yet.
   *
   * @param what names the entry in errors, for example its znode
   * @throws CodecException if it is malformed, damaged or of a newer format
   */
  public static Map<ActorPath, List<Envelope>> decode(String what, byte[] bytes) {
    if (TimerEntry.is(bytes)) {
      TimerEntry unused = TimerEntry.decode(what, bytes);
      return Map.of();
    } else if (DeliveryEntry.is(bytes)) {
      DeliveryEntry unused = DeliveryEntry.decode(what, bytes);
      return Map.of();
    }
    int at = LineCursor.endOfLine(bytes, 0);
    byte[] line = Arrays.copyOf(bytes, at);
    int format = Json.parse(what, line).path("f").asInt(0);
    if (format > FORMAT) {
      throw CodecException.newerVersion(what, format, FORMAT);
    }
    List<Part> parts = Json.read(what, line, Header.class).to();
    if (format < 1 || parts.isEmpty() || parts.stream().anyMatch(Objects::isNull)) {
      throw CodecException.malformed(what, "it is not an outbox entry");
    }
    Map<ActorPath, List<Envelope>> mail = new LinkedHashMap<>();
    at++;
    for (Part part : parts) {
      if (part.bytes() < 1 || part.bytes() > bytes.length - at) {
        throw CodecException.malformed(what, "it is cut off before " + part.actor());
      }
      byte[] segment = Arrays.copyOfRange(bytes, at, at + part.bytes());
      mail.put(receiver(what, part.actor()), Segment.decode(what, segment));
      at += part.bytes();
    }
    if (at != bytes.length || mail.size() != parts.size()) {
      throw CodecException.malformed(what, "its parts do not match its first line");
    }
    return mail;
  }

  static ActorPath receiver(String what, String actor) {
    try {
      return ActorPath.of(actor);
    } catch (IllegalArgumentException e) {
      throw CodecException.malformed(
          what, "\"%s\" is not an actor: %s".formatted(actor, e.getMessage()));
    }
  }
}
