package io.callboard.pollers.protocol;

import java.util.Map;

/**
 * Asks a source to send a message; answered with {@link Sent} when it is durable there.
 *
 * @param target queue of the source
 * @param id id of the message
 * @param body its body, in Base64
 * @param headers its attributes
 */
public record EmitCommand(String target, String id, String body, Map<String, String> headers) {
  /** Copies the headers. */
  public EmitCommand {
    headers = Map.copyOf(headers);
  }

  /**
   * Answer: the message was sent.
   *
   * @param id id of the message
   */
  public record Sent(String id) {}
}
