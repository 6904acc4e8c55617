package io.callboard.codecs;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A message as it is stored and sent. Its body is encoded once, where it was told, and decoded
 * where it is handled.
 *
 * @param body JSON in UTF-8; never changed
 * @param replyTo where the answer to an ask goes; null for a tell
 * @param message what the body encodes, for receivers in the same process; null if it came from a
 *     store
 */
@SuppressWarnings("ArrayRecordComponent")
public record Envelope(
    MessageId id,
    MessageType type,
    byte[] body,
    @Nullable String replyTo,
    @Nullable Object message) {

  /** As read from a store. */
  public Envelope(MessageId id, MessageType type, byte[] body, @Nullable String replyTo) {
    this(id, type, body, replyTo, null);
  }

  /**
   * Wraps {@code message} under its logical name.
   *
   * @throws CodecException if it cannot be written as JSON
   */
  public static Envelope of(MessageId id, Object message, @Nullable String replyTo) {
    MessageType type = MessageType.of(message.getClass());
    byte[] body = Json.bytes(message);
    for (byte each : body) {
      if (each == '\n') {
        throw CodecException.malformed("the JSON of " + type.name(), "it holds a line break");
      }
    }
    return new Envelope(id, type, body, replyTo, message);
  }

  /** The same message with another id. */
  public Envelope withId(MessageId other) {
    return new Envelope(other, type, body, replyTo, message);
  }

  /** About what it adds to a segment, in bytes. */
  public int size() {
    return body.length + id.sender().length() + type.name().length() + 48;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Envelope envelope
        && envelope.id.equals(id)
        && envelope.type.equals(type)
        && Objects.equals(envelope.replyTo, replyTo)
        && Arrays.equals(envelope.body, body);
  }

  @Override
  public int hashCode() {
    return id.hashCode();
  }

  @Override
  public String toString() {
    return "%s %s v%d, %d bytes".formatted(id, type.name(), type.version(), body.length);
  }
}
