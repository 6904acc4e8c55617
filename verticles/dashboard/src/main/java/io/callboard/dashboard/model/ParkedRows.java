package io.callboard.dashboard.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
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
   * @param withBody whether its content is included
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
        copy(stored.path("envelope"), "b", row, "body");
        copy(stored, "segment", row, "segment");
      }
    } catch (CodecException e) {
      row.put("cause", String.valueOf(e.getMessage()));
    }
    return row;
  }

  private static void copy(JsonNode from, String field, ObjectNode to, String name) {
    if (from.has(field)) {
      to.set(name, from.get(field));
    }
  }
}
