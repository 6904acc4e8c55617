package io.callboard.pollers.internal.redis;

import io.callboard.pollers.source.SourceMessage;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.redis.client.Response;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Entry of a stream, as it was taken.
 *
 * @param id id in the stream, as {@code 1526919030474-55}
 * @param delivery how often it was delivered, with this time
 * @param fields its fields, a value behind each name
 */
record StreamEntry(String id, int delivery, Response fields) {
  private static final int MOST_OF_AN_ID = 300;
  private static final int MOST_NAMED = 10;

  String receipt() {
    return Receipts.of(id, delivery);
  }

  SourceMessage message(StreamSettings settings) throws Unreadable {
    Map<String, Buffer> values = new LinkedHashMap<>();
    long bytes = 0;
    for (int i = 0; i + 1 < fields.size(); i += 2) {
      Buffer field = fields.get(i).toBuffer();
      Buffer value = fields.get(i + 1).toBuffer();
      values.put(field.toString(), value);
      bytes += field.length() + value.length();
    }
    if (bytes > settings.maxBytes()) {
      throw new Unreadable(
          "its fields have %,d bytes, more than maxBytes, %,d"
              .formatted(bytes, settings.maxBytes()));
    }
    String messageId = messageId(settings.id(), values);
    Buffer body;
    Map<String, String> headers = new LinkedHashMap<>();
    if (settings.body().equals(StreamSettings.ALL_FIELDS)) {
      body = object(values);
    } else {
      body = values.remove(settings.body());
      if (body == null) {
        throw new Unreadable(
            "it has no field \"%s\", but %s"
                .formatted(settings.body(), values.keySet().stream().limit(MOST_NAMED).toList()));
      }
      values.forEach((field, value) -> headers.put(field, value.toString()));
      if (settings.id() != null) {
        headers.remove(settings.id());
      }
    }
    return new SourceMessage(messageId, receipt(), body, headers, delivery, sentAt());
  }

  private String messageId(@Nullable String field, Map<String, Buffer> values) throws Unreadable {
    Buffer given = field == null ? null : values.get(field);
    if (given == null) {
      return id;
    }
    String text = Bytes.text(given);
    if (text == null || text.isBlank() || text.length() > MOST_OF_AN_ID) {
      throw new Unreadable(
          "its field \"%s\" is no text of 1 to %d characters".formatted(field, MOST_OF_AN_ID));
    }
    return text;
  }

  private static Buffer object(Map<String, Buffer> values) throws Unreadable {
    JsonObject object = new JsonObject();
    for (Map.Entry<String, Buffer> each : values.entrySet()) {
      String text = Bytes.text(each.getValue());
      if (text == null) {
        throw new Unreadable("its field \"%s\" is no UTF-8".formatted(each.getKey()));
      }
      object.put(each.getKey(), text);
    }
    return object.toBuffer();
  }

  /** Returns the time in the id, unless its sender has made it by itself without one. */
  private @Nullable Instant sentAt() {
    String time = id.substring(0, id.indexOf('-'));
    return time.length() == 13 ? Instant.ofEpochMilli(Long.parseLong(time)) : null;
  }
}
