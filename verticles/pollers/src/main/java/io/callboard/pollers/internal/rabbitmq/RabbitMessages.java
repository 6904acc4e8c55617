package io.callboard.pollers.internal.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Delivery;
import io.callboard.codecs.internal.text.CutText;
import io.callboard.codecs.internal.text.Digest;
import io.callboard.pollers.source.EmissionRefusedException;
import io.callboard.pollers.source.EmittedMessage;
import io.callboard.pollers.source.SourceMessage;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts deliveries into messages for a poller, and into the copies that a source publishes. */
final class RabbitMessages {
  private static final String OURS = "callboard-";

  /** Header: how often it has failed. */
  static final String ATTEMPTS = OURS + "attempts";

  /** Header: how often it had come back when it was replaced by a copy. */
  static final String GIVEN_BACK = OURS + "given-back";

  /** Header of such a copy: the queue it had come back to from a retry queue, and so failed in. */
  static final String FAILED_IN = OURS + "failed-in";

  /** Header: why it failed, or was set aside; cut to {@link #LONGEST_CAUSE} characters. */
  static final String CAUSE = OURS + "cause";

  /** Header: the user of its publisher, which the server lets nobody else state. */
  static final String USER = OURS + "user-id";

  private static final int LONGEST_CAUSE = 2_000;
  private static final int LONGEST_ID = 300;
  private static final int LONGEST_NAME = 255;
  private static final int DURABLE = 2;
  private static final long MOST_COUNTED = 999_999_999;

  private RabbitMessages() {}

  private static Map<String, Object> headers(BasicProperties properties) {
    return properties.getHeaders() == null ? Map.of() : properties.getHeaders();
  }

  /** Returns whether a name is longer than AMQP can have it. */
  static boolean isTooLong(String name) {
    return name.getBytes(StandardCharsets.UTF_8).length > LONGEST_NAME;
  }

  /** Returns the id of a message; null if it has no valid one. */
  static @Nullable String id(Delivery delivery, RabbitmqSettings settings) {
    String header = settings.idHeader();
    Object id;
    if (settings.isIdOfBody()) {
      id = "sha256:" + Digest.whole(delivery.getBody());
    } else if (header != null) {
      id = headers(delivery.getProperties()).get(header);
    } else {
      id = delivery.getProperties().getMessageId();
    }
    String text = id == null ? "" : id.toString();
    return text.isBlank() || text.length() > LONGEST_ID ? null : text;
  }

  /** Returns the message that a delivery of a queue is. */
  static SourceMessage message(Delivery delivery, String queue, String id, String receipt) {
    BasicProperties properties = delivery.getProperties();
    Map<String, String> headers = new HashMap<>();
    add(headers, "content-type", properties.getContentType());
    add(headers, "correlation-id", properties.getCorrelationId());
    add(headers, "type", properties.getType());
    headers(properties)
        .forEach(
            (name, value) -> {
              if (!name.startsWith(OURS)) {
                headers.put(name, String.valueOf(value));
              }
            });
    Date sentAt = properties.getTimestamp();
    return new SourceMessage(
        id,
        receipt,
        Buffer.buffer(delivery.getBody()),
        headers,
        deliveries(delivery),
        sentAt == null ? null : sentAt.toInstant(),
        failures(properties, queue));
  }

  /** Returns the failures, if it comes from a retry queue: operators give others another chance. */
  private static int failures(BasicProperties properties, String queue) {
    Map<String, Object> headers = headers(properties);
    return isRetry(headers, queue) ? (int) number(headers, ATTEMPTS) : 0;
  }

  private static boolean isRetry(Map<String, Object> headers, String queue) {
    return String.valueOf(headers.get("x-first-death-queue")).contains(RetryQueue.NAMED)
        || queue.equals(String.valueOf(headers.get(FAILED_IN)));
  }

  private static void add(Map<String, String> headers, String name, @Nullable String value) {
    if (value != null) {
      headers.put(name, value);
    }
  }

  /** A quorum queue counts what was given back, a classic one says only whether it was. */
  private static int deliveries(Delivery delivery) {
    Map<String, Object> headers = headers(delivery.getProperties());
    long all =
        number(headers, ATTEMPTS) + number(headers, GIVEN_BACK) + timesGivenBack(delivery) + 1;
    return (int) Math.min(all, Integer.MAX_VALUE);
  }

  /** Returns how often a message has come back from a client, by the account of its queue. */
  static long timesGivenBack(Delivery delivery) {
    return headers(delivery.getProperties()).get("x-delivery-count") instanceof Number count
        ? count.longValue()
        : delivery.getEnvelope().isRedeliver() ? 1 : 0;
  }

  /** Returns a number of ours; if others have written none there, {@code 0}. */
  private static long number(Map<String, Object> headers, String name) {
    String digits = String.valueOf(headers.get(name));
    return digits.matches("\\d{1,9}") ? Long.parseLong(digits) : 0;
  }

  /** Returns the properties of the copy that comes back after a delay. */
  static BasicProperties retry(Delivery failed, String queue, Duration delay, String cause) {
    BasicProperties.Builder copy = durable(failed, headers(failed, queue, cause));
    return copy.expiration(String.valueOf(Math.max(0, delay.toMillis()))).build();
  }

  /** Returns the properties of the copy that is set aside. */
  static BasicProperties dead(Delivery poison, String queue, String cause) {
    Map<String, Object> headers = headers(poison, queue, cause);
    headers.remove(GIVEN_BACK); // whoever puts it back begins anew, as its queue does
    return durable(poison, headers).expiration(null).build();
  }

  /** Returns the properties of the copy that takes the place of what has come back often. */
  static BasicProperties renewed(Delivery worn, String queue) {
    Map<String, Object> headers = clean(worn);
    if (isRetry(headers(worn.getProperties()), queue)) {
      headers.put(FAILED_IN, queue);
    }
    long all = number(headers, GIVEN_BACK) + timesGivenBack(worn);
    headers.put(GIVEN_BACK, String.valueOf(Math.min(all, MOST_COUNTED)));
    return durable(worn, headers).build();
  }

  /** Returns the headers of the copy of what has failed once more. */
  private static Map<String, Object> headers(Delivery failed, String queue, String cause) {
    Map<String, Object> headers = clean(failed);
    headers.remove(FAILED_IN);
    headers.put(ATTEMPTS, String.valueOf(failures(failed.getProperties(), queue) + 1));
    headers.put(CAUSE, CutText.head(cause, LONGEST_CAUSE));
    return headers;
  }

  /** Returns headers without those that have a meaning for servers. */
  private static Map<String, Object> clean(Delivery delivery) {
    Map<String, Object> headers = new HashMap<>(headers(delivery.getProperties()));
    // they would send the copy to other queues, too
    headers.remove("CC");
    headers.remove("BCC");
    // by these a server drops what it takes for going round in circles
    headers.keySet().removeIf(name -> name.equals("x-death") || name.matches("x-.*-death-.*"));
    headers.remove("x-delivery-count");
    return headers;
  }

  private static BasicProperties.Builder durable(Delivery delivery, Map<String, Object> headers) {
    BasicProperties properties = delivery.getProperties();
    if (properties.getUserId() != null) {
      headers.put(USER, properties.getUserId());
    }
    return properties.builder().headers(headers).userId(null).deliveryMode(DURABLE);
  }

  /** Returns the properties of a message of Callboard's. */
  static BasicProperties emitted(EmittedMessage message) {
    for (String name : message.headers().keySet()) {
      if (isTooLong(name)) {
        throw new EmissionRefusedException(
            "RabbitMQ takes names of headers of up to %d bytes, not \"%s\""
                .formatted(LONGEST_NAME, name));
      }
    }
    return new BasicProperties.Builder()
        .messageId(message.id(LONGEST_NAME))
        .headers(new HashMap<>(message.headers()))
        .deliveryMode(DURABLE)
        .build();
  }
}
