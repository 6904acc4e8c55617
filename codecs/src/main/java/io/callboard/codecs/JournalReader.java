package io.callboard.codecs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** Reader of the events of one journal entry, in their order. Not thread-safe. */
public final class JournalReader {
  private static final String KIND = "event";

  private final String what;
  private final long turn;
  private final long first;
  private final int count;
  private final Instant at;
  private final byte[] bytes;
  private final LineCursor line;
  private int read;
  private @Nullable MessageType type;
  private int from;
  private int length;

  JournalReader(
      String what, long turn, long first, int count, Instant at, byte[] bytes, int offset) {
    this.what = what;
    this.turn = turn;
    this.first = first;
    this.count = count;
    this.at = at;
    this.bytes = bytes;
    this.line = new LineCursor(what, bytes, offset);
  }

  /** Returns a reader of an entry of the first format, which is one tree. */
  static JournalReader ofTree(String what, JsonNode entry, long first) {
    List<WrittenEvent> events = new ArrayList<>();
    for (JsonNode node : entry.get("e")) {
      events.add(
          new WrittenEvent(
              MessageType.read(what, node.path("t").asText(""), node.path("v").asInt(0)),
              Json.uncheckedBytes(node.path("b"))));
    }
    byte[] lines = Journal.lines(events).after("");
    long turn = Journal.turn(what, entry);
    return new JournalReader(what, turn, first, events.size(), Instant.EPOCH, lines, 0);
  }

  /** Returns the turn that wrote the events. */
  public long turn() {
    return turn;
  }

  /** Returns the number of the first event. */
  public long first() {
    return first;
  }

  /** Returns the number of events of the entry. */
  public int count() {
    return count;
  }

  /** Returns the time of the commit of the events; the epoch if the entry does not hold it. */
  public Instant at() {
    return at;
  }

  /**
   * Goes to the next event; false if there is none.
   *
   * @throws CodecException if its line is malformed, or there are not as many as the entry says
   */
  public boolean next() {
    if (!line.hasNext()) {
      if (read != count) {
        throw CodecException.malformed(
            what, "it holds %d events, its header says %d".formatted(read, count));
      }
      return false;
    }
    line.open(KIND);
    String name = null;
    while (true) {
      String key = line.key();
      if (key.equals("t")) {
        name = line.string();
      } else if (key.equals("v")) {
        type = line.version(name);
      } else if (key.equals("b")) {
        from = line.at();
        length = line.contentLength();
        line.close();
        read++;
        return true;
      } else {
        throw line.malformed("has an unknown field \"%s\"".formatted(key));
      }
      line.comma();
    }
  }

  /** Returns the number of the present event; an actor's events count from 1. */
  public long number() {
    return first + read - 1;
  }

  /**
   * Returns the type of the present event as it was written; null if the entry does not hold it.
   */
  public @Nullable MessageType typeIfKnown() {
    return type;
  }

  /** Returns the type of the present event as it was written. */
  public MessageType type() {
    if (type == null) {
      throw read == 0
          ? new NoSuchElementException(what + " has not been read")
          : CodecException.malformed(what, "its first event lacks its type");
    }
    return type;
  }

  /**
   * Returns the present event.
   *
   * @throws CodecException if its type is unknown or newer than this code, or its body does not fit
   */
  public <E> E event(ProtocolCodec<E> codec) {
    return read(codec).value();
  }

  /** Returns the present event, along with the fields of it that this code does not know. */
  public <E> ProtocolCodec.Read<E> read(ProtocolCodec<E> codec) {
    return codec.read(KIND, type(), bytes, from, length);
  }

  /**
   * Returns the present event as it was written.
   *
   * @throws CodecException if it is not a JSON object
   */
  public OldEvent old() {
    String event = "%s, event %d".formatted(what, number());
    if (!(Json.parse(event, bytes, from, length) instanceof ObjectNode body)) {
      throw CodecException.malformed(event, "it is not a JSON object");
    }
    return new OldEvent(number(), type(), body);
  }
}
