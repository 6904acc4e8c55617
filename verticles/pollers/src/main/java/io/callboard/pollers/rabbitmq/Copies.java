package io.callboard.pollers.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Delivery;
import io.callboard.pollers.source.EmittedMessage;
import io.callboard.pollers.source.SourceMessage;
import io.vertx.core.buffer.Buffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Date;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Messages as a poller sees them, and the copies of them that a source publishes. */
final class Copies {
  private static final String OURS = "callboard-";

  /** Header: how often it has failed. */
  static final String ATTEMPTS = OURS + "attempts";

  /** Header: why it failed, or was set aside; cut to {@link #LONGEST_CAUSE} characters. */
  static final String CAUSE = OURS + "cause";

  /** Header: the user of its publisher, which the server lets nobody else state. */
  static final String USER = OURS + "user-id";

  private static final int LONGEST_CAUSE = 2_000;
  private static final int LONGEST_ID = 300;
  private static final int DURABLE = 2;

  private Copies() {}

  private static Map<String, Object> headers(BasicProperties properties) {
    return properties.getHeaders() == null ? Map.of() : properties.getHeaders();
  }

  /** Returns the id of a message; null if it has none that is good. */
  static @Nullable String id(Delivery delivery, RabbitmqSettings settings) {
    String header = settings.idHeader();
    Object id;
    if (settings.isIdOfBody()) {
      id = hash(delivery.getBody());
    } else if (header != null) {
      id = headers(delivery.getProperties()).get(header);
    } else {
      id = delivery.getProperties().getMessageId();
    }
    String text = id == null ? "" : id.toString();
    return text.isBlank() || text.length() > LONGEST_ID ? null : text;
  }

  private static String hash(byte[] body) {
    try {
      return "sha256:"
          + HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("each Java has SHA-256", e);
    }
  }

  /** Returns the message that a delivery is. */
  static SourceMessage message(Delivery delivery, String id, String receipt) {
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
        sentAt == null ? null : sentAt.toInstant());
  }

  private static void add(Map<String, String> headers, String name, @Nullable String value) {
    if (value != null) {
      headers.put(name, value);
    }
  }

  /** A quorum queue counts what was given back, a classic one says only whether it was. */
  private static int deliveries(Delivery delivery) {
    Map<String, Object> headers = headers(delivery.getProperties());
    long givenBack =
        headers.get("x-delivery-count") instanceof Number count
            ? count.longValue()
            : delivery.getEnvelope().isRedeliver() ? 1 : 0;
    return (int) Math.min(attempts(headers) + givenBack + 1, Integer.MAX_VALUE);
  }

  /** Returns the failures of a message; if others have written no number there, {@code 0}. */
  private static long attempts(Map<String, Object> headers) {
    String digits = String.valueOf(headers.get(ATTEMPTS));
    return digits.matches("\\d{1,9}") ? Long.parseLong(digits) : 0;
  }

  /** Returns the properties of the copy that comes back after a delay. */
  static BasicProperties retry(Delivery failed, Duration delay, String cause) {
    BasicProperties.Builder copy = copy(failed, cause);
    return copy.expiration(String.valueOf(Math.max(0, delay.toMillis()))).build();
  }

  /** Returns the properties of the copy that is set aside. */
  static BasicProperties dead(Delivery poison, String cause) {
    return copy(poison, cause).expiration(null).build();
  }

  private static BasicProperties.Builder copy(Delivery delivery, String cause) {
    BasicProperties properties = delivery.getProperties();
    Map<String, Object> headers = new HashMap<>(headers(properties));
    // they would send the copy to other queues, too
    headers.remove("CC");
    headers.remove("BCC");
    // by these a server drops what it takes for going round in circles
    headers.keySet().removeIf(name -> name.equals("x-death") || name.matches("x-.*-death-.*"));
    headers.remove("x-delivery-count");
    headers.put(ATTEMPTS, String.valueOf(attempts(headers) + 1));
    headers.put(CAUSE, cause.substring(0, Math.min(cause.length(), LONGEST_CAUSE)));
    if (properties.getUserId() != null) {
      headers.put(USER, properties.getUserId());
    }
    return properties.builder().headers(headers).userId(null).deliveryMode(DURABLE);
  }

  /** Returns the properties of a message of Callboard's. */
  static BasicProperties emitted(EmittedMessage message) {
    return new BasicProperties.Builder()
        .messageId(message.id())
        .headers(new HashMap<>(message.headers()))
        .deliveryMode(DURABLE)
        .build();
  }
}
