package io.callboard.pollers.internal.kafka;

import io.callboard.codecs.internal.text.CutText;
import io.callboard.pollers.source.EmittedMessage;
import io.callboard.pollers.source.SourceMessage;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Headers of records for what Kafka does not keep: the id of the first delivery, failures, cause
 * and time. They are trusted in the retry topic only; elsewhere anyone may have copied them.
 */
final class RetryHeaders {
  private static final String OURS = "callboard-";

  /**
   * Id of the message: {@code topic/partition/offset} of its first delivery, with the identity of a
   * topic that was made again ({@link TopicIdentity}), or of an emission.
   */
  static final String ID = OURS + "id";

  /** Number of failures. */
  static final String ATTEMPTS = OURS + "attempts";

  /** Milliseconds since 1970 before which it is not to be delivered. */
  static final String NOT_BEFORE = OURS + "not-before";

  /** Milliseconds since 1970 at which it came into its topic. */
  static final String SENT_AT = OURS + "sent-at";

  /** Why it failed, or was set aside; cut to {@link #LONGEST_CAUSE} characters. */
  static final String CAUSE = OURS + "cause";

  /** Header of messages under which pollers find the key of the record. */
  static final String KEY = "kafka-key";

  private static final int LONGEST_CAUSE = 2_000;

  private RetryHeaders() {}

  private static String text(byte @Nullable [] value) {
    return value == null ? "" : new String(value, StandardCharsets.UTF_8);
  }

  private static void set(Headers headers, String name, String value) {
    headers.remove(name).add(name, value.getBytes(StandardCharsets.UTF_8));
  }

  private static @Nullable String mark(ConsumerRecord<?, ?> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null ? null : text(header.value());
  }

  /** Returns the number in a header, {@code 0} if it is missing or not a number. */
  private static long number(ConsumerRecord<?, ?> record, String name) {
    String digits = mark(record, name);
    return digits != null && digits.matches("\\d{1,15}") ? Long.parseLong(digits) : 0;
  }

  /** Returns when a record of the retry topic is due. */
  static Instant dueAt(ConsumerRecord<?, ?> record) {
    return Instant.ofEpochMilli(number(record, NOT_BEFORE));
  }

  /**
   * Returns the message that a record is.
   *
   * @param prefix what its id begins with, if the record does not say it
   */
  static SourceMessage message(
      ConsumerRecord<byte[], byte[]> record, boolean isRetry, String receipt, String prefix) {
    byte[] value = record.value();
    Map<String, String> headers = new HashMap<>();
    for (Header each : record.headers()) {
      if (!each.key().startsWith(OURS)) {
        headers.put(each.key(), text(each.value()));
      }
    }
    if (record.key() != null) {
      headers.put(KEY, text(record.key()));
    }
    long sentAt = sentAt(record, isRetry);
    return new SourceMessage(
        id(record, isRetry, prefix),
        receipt,
        value == null ? Buffer.buffer() : Buffer.buffer(value),
        headers,
        isRetry ? attempts(record, true) + 1 : 0,
        sentAt < 0 ? null : Instant.ofEpochMilli(sentAt),
        attempts(record, isRetry));
  }

  private static String id(ConsumerRecord<?, ?> record, boolean isRetry, String prefix) {
    String id = isRetry ? mark(record, ID) : null;
    return id != null && !id.isBlank() && id.length() <= 300
        ? id
        : prefix + "/" + record.partition() + "/" + record.offset();
  }

  private static int attempts(ConsumerRecord<?, ?> record, boolean isRetry) {
    return isRetry ? (int) Math.min(number(record, ATTEMPTS), Integer.MAX_VALUE - 1) : 0;
  }

  private static long sentAt(ConsumerRecord<?, ?> record, boolean isRetry) {
    boolean marked = isRetry && mark(record, SENT_AT) != null;
    return marked ? number(record, SENT_AT) : record.timestamp();
  }

  /**
   * Makes the record that takes the place of one that has failed.
   *
   * @param id id of its message
   */
  static ProducerRecord<byte[], byte[]> retry(
      ConsumerRecord<byte[], byte[]> failed,
      String id,
      RetryTopic topic,
      Instant dueAt,
      int lane,
      String why) {
    boolean isRetry = failed.topic().equals(topic.name());
    ProducerRecord<byte[], byte[]> retry = copy(failed, id, isRetry, topic.name(), lane, why);
    set(retry.headers(), NOT_BEFORE, String.valueOf(dueAt.toEpochMilli()));
    return retry;
  }

  /**
   * Makes the record that is set aside.
   *
   * @param id id of its message
   */
  static ProducerRecord<byte[], byte[]> dead(
      ConsumerRecord<byte[], byte[]> poison,
      String id,
      RetryTopic retryTopic,
      String deadTopic,
      String why) {
    ProducerRecord<byte[], byte[]> dead =
        copy(poison, id, poison.topic().equals(retryTopic.name()), deadTopic, null, why);
    dead.headers().remove(NOT_BEFORE);
    return dead;
  }

  private static ProducerRecord<byte[], byte[]> copy(
      ConsumerRecord<byte[], byte[]> record,
      String id,
      boolean isRetry,
      String topic,
      @Nullable Integer partition,
      String why) {
    ProducerRecord<byte[], byte[]> copy =
        new ProducerRecord<>(topic, partition, record.key(), record.value());
    for (Header each : record.headers()) {
      copy.headers().add(each);
    }
    set(copy.headers(), ID, id);
    set(copy.headers(), ATTEMPTS, String.valueOf(attempts(record, isRetry) + 1));
    set(copy.headers(), SENT_AT, String.valueOf(Math.max(0, sentAt(record, isRetry))));
    set(copy.headers(), CAUSE, CutText.head(why, LONGEST_CAUSE));
    return copy;
  }

  /** Makes the record of a message of Callboard's; its key is its id. */
  static ProducerRecord<byte[], byte[]> emitted(String topic, EmittedMessage message) {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(
            topic, message.id().getBytes(StandardCharsets.UTF_8), message.body().getBytes());
    message.headers().forEach((name, value) -> set(record.headers(), name, value));
    set(record.headers(), ID, message.id());
    return record;
  }
}
