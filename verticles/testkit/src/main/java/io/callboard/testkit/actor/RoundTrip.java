package io.callboard.testkit.actor;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.Json;
import io.callboard.codecs.MessageType;
import io.callboard.codecs.ProtocolCodec;

/** JSON round trip of a value that is stored or sent. */
final class RoundTrip {
  private RoundTrip() {}

  /**
   * Writes and reads {@code value}.
   *
   * @param kind name of the value in errors
   * @param protocol protocol to which it must belong
   * @return its JSON
   * @throws AssertionError if the value read differs
   * @throws io.callboard.codecs.CodecException if it cannot be written or read
   */
  static JsonNode check(String kind, Class<?> protocol, Object value) {
    JsonNode written = Json.tree(value);
    Object read =
        ProtocolCodec.of(protocol).decode(kind, MessageType.of(value.getClass()), written);
    JsonNode again = Json.tree(read);
    if (!again.equals(written)) {
      throw new AssertionError(
          "%s %s changes when it is stored and read: written as %s, then as %s"
              .formatted(kind, value, written, again));
    }
    return written;
  }

  /**
   * Checks a value that is always stored, as {@link #check(String, Class, Object)} does.
   *
   * @throws io.callboard.codecs.CodecException if it cannot be written or read, or other values of
   *     its class could not be read back
   */
  static JsonNode checkStored(String kind, Class<?> protocol, Object value) {
    ProtocolCodec.checkStored(kind, value.getClass());
    return check(kind, protocol, value);
  }

  /** Checks a value that is a protocol by itself, or whose protocol is not known here. */
  static JsonNode check(String kind, Object value) {
    return check(kind, value.getClass(), value);
  }
}
