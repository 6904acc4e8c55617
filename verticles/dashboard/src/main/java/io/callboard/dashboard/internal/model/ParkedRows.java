package io.callboard.dashboard.internal.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.codecs.MessageType;
import io.callboard.codecs.redaction.Sensitivity;
import io.callboard.store.ParkedKey;
import io.callboard.store.StoredParked;

/** Parked messages as JSON. Pure. */
public final class ParkedRows {
  private ParkedRows() {}

  /** Returns an id that is unique in the cell, as one segment of a path. */
  public static String id(ParkedKey key) {
    return key.actor().toNodeName() + "~" + key.id();
  }

  /**
   * Returns a parked message.
   *
   * @param withBody whether its content is included, without its secrets
   */
  public static ObjectNode row(StoredParked parked, boolean withBody) {
    ObjectNode row =
        JsonNodeFactory.instance
            .objectNode()
            .put("actor", parked.actor().toString())
            .put("id", id(parked.key()))
            .put("size", parked.bytes().length);
    try {
      JsonNode stored = Json.parse(parked.key().toString(), parked.bytes());
      copy(stored, "cause", row, "cause");
      copy(stored, "attempts", row, "attempts");
      copy(stored.path("envelope"), "t", row, "type");
      copy(stored.path("envelope"), "from", row, "from");
      JsonNode blob = stored.path("envelope").path("blob");
      if (blob.isObject()) {
        row.put("size", blob.path("bytes").asInt()).put("blob", true);
      }
      if (withBody) {
        JsonNode envelope = stored.path("envelope");
        masked(envelope, "b", row, "body", sensitivity(envelope));
        masked(stored, "segment", row, "segment", Sensitivity.UNKNOWN);
      }
    } catch (CodecException e) {
      row.put("cause", String.valueOf(e.getMessage()));
    }
    return row;
  }

  /** Returns the content of a parked message as it is; missing if it is unreadable or large. */
  public static JsonNode body(StoredParked parked) {
    return envelope(parked).path("b");
  }

  /** Returns which parts of that content are sensitive, as its type declares. */
  public static Sensitivity sensitivity(StoredParked parked) {
    return sensitivity(envelope(parked));
  }

  private static JsonNode envelope(StoredParked parked) {
    try {
      return Json.parse(parked.key().toString(), parked.bytes()).path("envelope");
    } catch (CodecException e) {
      return MissingNode.getInstance(); // as its row says
    }
  }

  private static Sensitivity sensitivity(JsonNode envelope) {
    String name = envelope.path("t").asText();
    int version = envelope.path("v").asInt();
    return name.isEmpty()
        ? Sensitivity.UNKNOWN
        : Sensitivity.of(new MessageType(name, Math.max(1, version)), envelope.path("b"));
  }

  private static void masked(
      JsonNode from, String field, ObjectNode to, String name, Sensitivity sensitivity) {
    if (from.has(field)) {
      MaskedJson.put(to, name, from.get(field), sensitivity);
    }
  }

  private static void copy(JsonNode from, String field, ObjectNode to, String name) {
    if (from.has(field)) {
      to.set(name, from.get(field));
    }
  }
}
