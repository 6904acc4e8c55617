package io.callboard.pollers.source;

import io.vertx.core.buffer.Buffer;
import java.util.Map;

/**
 * Message that Callboard sends to a queue of another system.
 *
 * @param id id of the message, the same if it is sent again; receivers can drop doubles by it
 * @param body its content
 * @param headers its attributes
 */
public record EmittedMessage(String id, Buffer body, Map<String, String> headers) {
  /** Copies the headers. */
  public EmittedMessage {
    headers = Map.copyOf(headers);
  }
}
