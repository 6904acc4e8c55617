package io.callboard.pollers.source;

import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Message that was taken from a source.
 *
 * @param id id that the message has in its source, the same for each delivery and for no other
 *     message of that source; at most 300 characters
 * @param receipt names this delivery among those of this client; another for each delivery
 * @param body content, as the source has it
 * @param headers attributes of the message; their values are texts
 * @param deliveries how often the source has delivered it, with this one; 0 if it does not say
 * @param sentAt when it came into the source; null if it does not say
 */
public record SourceMessage(
    String id,
    String receipt,
    Buffer body,
    Map<String, String> headers,
    int deliveries,
    @Nullable Instant sentAt) {
  /** Copies the headers. */
  public SourceMessage {
    headers = Map.copyOf(headers);
  }
}
