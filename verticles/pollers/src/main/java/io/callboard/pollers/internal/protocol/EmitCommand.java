package io.callboard.pollers.internal.protocol;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Asks a source to send a message; answered with {@link Sent} when it is durable there, or is
 * refused for good.
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
   * Answer: the message was sent, or is refused.
   *
   * @param id id of the message
   * @param refusal why no repetition can succeed; null if it was sent
   */
  public record Sent(String id, @Nullable String refusal) {}
}
