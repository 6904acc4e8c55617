package io.callboard.codecs;

import static io.callboard.codecs.LineBuffer.ascii;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The events of one commit of one actor, as they are stored together: lines of JSON, so that people
 * can read them, and each event is read without what surrounds it.
 *
 * <pre>
 * {"f":2,"turn":57,"first":1234,"n":2,"at":"2026-11-22T10:15:30.123Z","c":"9ae0daaf"}
 * {"t":"deposited","v":1,"b":{"cents":500}}
 * {"b":{"cents":700}}
 * </pre>
 *
 * <p>The first line holds format, the number of the turn, the number of the first event (an actor's
 * events count from 1, without gaps), how many there are, when they were committed, and the CRC-32C
 * of all that follows. A line leaves out the type that it shares with the one before it.
 */
public final class Journal {
  /** The format that this code writes; it reads this and every older one. */
  public static final int FORMAT = 2;

  /** One JSON object with an array of events, which were not numbered. */
  private static final int TREE_FORMAT = 1;

  private static final byte[] TYPE = ascii("\"t\":\"");
  private static final byte[] VERSION = ascii("\"v\":");
  private static final byte[] BODY = ascii("\"b\":");

  private Journal() {}

  /**
   * Returns the bytes of a journal entry.
   *
   * @param turn that wrote them
   * @param first the number of the first of them
   * @param events at least one
   */
  public static byte[] encode(long turn, long first, Instant at, List<WrittenEvent> events) {
    LineBuffer lines = lines(events);
    String numbers = "\"turn\":" + turn + ",\"first\":" + first + ",\"n\":" + events.size();
    return lines.after(
        "{\"f\":"
            + FORMAT
            + ","
            + numbers
            + ",\"at\":\""
            + at
            + "\",\"c\":\""
            + lines.crc()
            + "\"}\n");
  }

  static LineBuffer lines(List<WrittenEvent> events) {
    int size = 64;
    for (WrittenEvent event : events) {
      size += event.bytes();
    }
    LineBuffer lines = new LineBuffer(size);
    MessageType last = null;
    for (WrittenEvent event : events) {
      lines.put((byte) '{');
      if (!event.type().equals(last)) {
        lines.string(TYPE, event.type().name());
        lines.number(VERSION, event.type().version());
        last = event.type();
      }
      lines.put(BODY);
      lines.put(event.body());
      lines.put((byte) '}');
      lines.put((byte) '\n');
    }
    return lines;
  }

  /**
   * Returns a reader of the events of an entry.
   *
   * @param what names the entry in errors
   * @param expected the number of its first event where the entry does not say it
   * @throws CodecException if it is malformed, damaged or of a newer format
   */
  public static JournalReader read(String what, byte[] entry, long expected) {
    int end = LineCursor.endOfLine(entry, 0);
    JsonNode header = Json.parse(what, entry, 0, end);
    int format = header.path("f").asInt(0);
    if (format > FORMAT) {
      throw CodecException.newerVersion(what, format, FORMAT);
    } else if (format == TREE_FORMAT && header.path("e").isArray()) {
      return JournalReader.ofTree(what, header, expected);
    } else if (format != FORMAT || end == entry.length) {
      throw CodecException.malformed(what, "it is not a journal entry");
    }
    LineCursor.checkCrc(what, header, entry, end + 1);
    return new JournalReader(
        what,
        turn(what, header),
        positive(what, header, "first"),
        (int) Math.min(Integer.MAX_VALUE, positive(what, header, "n")),
        at(what, header),
        entry,
        end + 1);
  }

  /**
   * Returns the turn that wrote an entry, without reading its events.
   *
   * @throws CodecException if it is no JSON or has none
   */
  public static long turn(String what, byte[] entry) {
    return turn(what, Json.parse(what, entry, 0, LineCursor.endOfLine(entry, 0)));
  }

  static long turn(String what, JsonNode header) {
    long turn = header.path("turn").asLong(-1);
    if (turn < 0) {
      throw CodecException.malformed(what, "it does not say which turn wrote it");
    }
    return turn;
  }

  private static long positive(String what, JsonNode header, String field) {
    long value = header.path(field).asLong(0);
    if (value < 1) {
      throw CodecException.malformed(what, "its header lacks \"%s\"".formatted(field));
    }
    return value;
  }

  private static Instant at(String what, JsonNode header) {
    @Nullable JsonNode at = header.get("at");
    if (at == null) {
      throw CodecException.malformed(what, "its header does not say when it was written");
    }
    return Json.convert(what, at, Instant.class);
  }
}
