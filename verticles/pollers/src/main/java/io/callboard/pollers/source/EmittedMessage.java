package io.callboard.pollers.source;

import io.callboard.codecs.internal.text.Digest;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
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

  /** Returns the same with its {@link #id(int)}. */
  public EmittedMessage withIdOf(int mostBytes) {
    return new EmittedMessage(id(mostBytes), body, headers);
  }

  /**
   * Returns the id for a system whose ids have a limit: a hash in place of a longer one.
   *
   * @param mostBytes largest number of bytes in UTF-8, at least 40
   */
  public String id(int mostBytes) {
    return id.getBytes(StandardCharsets.UTF_8).length <= mostBytes ? id : "sha256-" + Digest.of(id);
  }
}
