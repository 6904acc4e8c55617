package io.callboard.codecs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** The events of one turn as they are stored: {@code {"f":1,"turn":n,"e":[{"t","v","b"}…]}}. */
public final class Journal {
  /** The format that this code writes; it reads this and every older one. */
  public static final int FORMAT = 1;

  private Journal() {}

  /**
   * @throws CodecException if an event cannot be written, or all of them not be read back
   */
  public static byte[] encode(long turn, List<?> events) {
    ObjectNode entry = JsonNodeFactory.instance.objectNode().put("f", FORMAT).put("turn", turn);
    ArrayNode list = entry.putArray("e");
    for (Object event : events) {
      MessageType type = MessageType.of(event.getClass());
      ObjectNode node = list.addObject().put("t", type.name()).put("v", type.version());
      node.set("b", Json.tree(event));
    }
    byte[] json = Json.uncheckedBytes(entry);
    JsonLimits.READ.check("the journal entry of %d events".formatted(events.size()), json);
    return json;
  }

  /**
   * @param what names the entry in errors
   * @throws CodecException if it is malformed, of a newer format, or holds an event that is unknown
   *     or of a newer version
   */
  public static <E> List<E> decode(String what, JsonNode entry, ProtocolCodec<E> codec) {
    int format = entry.path("f").asInt(0);
    if (format > FORMAT) {
      throw CodecException.newerVersion(what, format, FORMAT);
    }
    if (format < 1 || !entry.path("e").isArray()) {
      throw CodecException.malformed(what, "it is not a journal entry");
    }
    List<E> events = new ArrayList<>();
    for (JsonNode node : entry.get("e")) {
      MessageType type = MessageType.read(what, node.path("t").asText(""), node.path("v").asInt(0));
      events.add(codec.decode("event", type, node.path("b")));
    }
    return events;
  }

  /**
   * The turn that wrote an entry.
   *
   * @throws CodecException if it is no JSON or has none
   */
  public static long turn(String what, byte[] entry) {
    long turn = Json.parse(what, entry).path("turn").asLong(-1);
    if (turn < 0) {
      throw CodecException.malformed(what, "it does not say which turn wrote it");
    }
    return turn;
  }
}
