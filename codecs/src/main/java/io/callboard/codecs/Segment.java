package io.callboard.codecs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one commit to one mailbox, as they are stored together: {@code
 * {"f":1,"e":[{"from","n","t","v","b","r"}…]}}.
 */
public final class Segment {
  /** The format that this code writes; it reads this and every older one. */
  public static final int FORMAT = 1;

  private Segment() {}

  public static byte[] encode(List<Envelope> envelopes) {
    ObjectNode segment = JsonNodeFactory.instance.objectNode().put("f", FORMAT);
    ArrayNode list = segment.putArray("e");
    for (Envelope envelope : envelopes) {
      list.add(encode(envelope));
    }
    return Json.bytes(segment);
  }

  /** One envelope as a tree, as it also travels on the event bus. */
  public static ObjectNode encode(Envelope envelope) {
    ObjectNode node =
        JsonNodeFactory.instance
            .objectNode()
            .put("from", envelope.id().sender())
            .put("n", envelope.id().number())
            .put("t", envelope.type().name())
            .put("v", envelope.type().version());
    node.set("b", envelope.body());
    if (envelope.replyTo() != null) {
      node.put("r", envelope.replyTo());
    }
    return node;
  }

  /**
   * @param what names the segment in errors, for example its znode
   * @throws CodecException if it is malformed or of a newer format
   */
  public static List<Envelope> decode(String what, byte[] bytes) {
    JsonNode segment = Json.parse(what, bytes);
    int format = segment.path("f").asInt(0);
    if (format > FORMAT) {
      throw CodecException.newerVersion(what, format, FORMAT);
    }
    if (format < 1 || !segment.path("e").isArray()) {
      throw CodecException.malformed(what, "it is not a segment of envelopes");
    }
    List<Envelope> envelopes = new ArrayList<>();
    for (JsonNode node : segment.get("e")) {
      envelopes.add(decode(what, node));
    }
    return envelopes;
  }

  /** The inverse of {@link #encode(Envelope)}. */
  public static Envelope decode(String what, JsonNode node) {
    JsonNode body = node.get("b");
    String type = node.path("t").asText("");
    int version = node.path("v").asInt(0);
    if (body == null || type.isEmpty() || version < 1) {
      throw CodecException.malformed(what, "an envelope lacks its type, version or body");
    }
    @Nullable JsonNode reply = node.get("r");
    return new Envelope(
        new MessageId(node.path("from").asText("?"), node.path("n").asLong()),
        new MessageType(type, version),
        body,
        reply == null ? null : reply.asText());
  }
}
