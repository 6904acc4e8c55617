package io.callboard.codecs;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/**
 * A message as it is stored and sent.
 *
 * @param replyTo where the answer to an ask goes; null for a tell
 */
public record Envelope(MessageId id, MessageType type, JsonNode body, @Nullable String replyTo) {

  /** Wraps {@code message} under its logical name. */
  public static Envelope of(MessageId id, Object message, @Nullable String replyTo) {
    return new Envelope(id, MessageType.of(message.getClass()), Json.tree(message), replyTo);
  }
}
