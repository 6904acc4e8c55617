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
 * @param failures how often it was given back with {@link Source#fail}, as the source remembers
 *     with the message; it may miss some, and counts none that was not. {@link #UNCOUNTED} if it
 *     does not
 */
public record SourceMessage(
    String id,
    String receipt,
    Buffer body,
    Map<String, String> headers,
    int deliveries,
    @Nullable Instant sentAt,
    int failures) {
  /** Failures of a message whose source does not count them. */
  public static final int UNCOUNTED = -1;

  /** Copies the headers. */
  public SourceMessage {
    headers = Map.copyOf(headers);
  }

  /** Creates a message of a source that does not count failures. */
  public SourceMessage(
      String id,
      String receipt,
      Buffer body,
      Map<String, String> headers,
      int deliveries,
      @Nullable Instant sentAt) {
    this(id, receipt, body, headers, deliveries, sentAt, UNCOUNTED);
  }

  /** Returns the approximate number of bytes of the message, with its headers. */
  public int bytes() {
    long all = body.length();
    for (Map.Entry<String, String> each : headers.entrySet()) {
      all += each.getKey().length() + each.getValue().length();
    }
    return (int) Math.min(all, Integer.MAX_VALUE);
  }

  /** Returns the same with that number of failures. */
  public SourceMessage withFailures(int number) {
    return new SourceMessage(id, receipt, body, headers, deliveries, sentAt, number);
  }
}
