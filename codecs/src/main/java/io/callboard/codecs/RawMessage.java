package io.callboard.codecs;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;

/**
 * A message as it is stored, for actors that pass it on without knowing its class. An actor with
 * this protocol accepts every message, and the messages that it sends arrive with their original
 * type.
 *
 * @param body JSON in UTF-8; never changed
 */
@SuppressWarnings("ArrayRecordComponent")
public record RawMessage(MessageType type, byte[] body) {
  /**
   * Returns the body if it can be stored.
   *
   * @throws CodecException if it is no JSON
   */
  byte[] checked() {
    JsonNode parsed = Json.parse("a raw message " + type.name(), body);
    for (byte each : body) {
      if (each == '\n' || each == '\r') {
        return Json.bytes(parsed);
      }
    }
    return body;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RawMessage raw
        && type.equals(raw.type)
        && Arrays.equals(body, raw.body);
  }

  @Override
  public int hashCode() {
    return type.hashCode() * 31 + Arrays.hashCode(body);
  }

  @Override
  public String toString() {
    return "%s of %d bytes".formatted(type, body.length);
  }
}
