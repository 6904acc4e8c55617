package io.callboard.pollers.internal.redis;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.pollers.internal.json.JsonTexts;
import io.callboard.pollers.source.EmittedMessage;
import io.callboard.pollers.source.SourceMessage;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Element of a list, as it was taken.
 *
 * @param id number that it got when it was first taken, with a hash of its content
 * @param delivery how often it was delivered, with this time
 */
record ListElement(String id, int delivery, Buffer content) {
  private static final int FORMAT = 1;
  private static final int MOST_OF_AN_ID = 300;
  private static final String NO_ENVELOPE = "it is no envelope, which is a JSON object";

  String receipt() {
    return Receipts.of(id, delivery);
  }

  SourceMessage message(ListSettings settings) throws Unreadable {
    if (settings.takesEnvelopes()) {
      return opened();
    }
    String given = settings.id() == null ? null : given(settings.id());
    return message(given, content, Map.of());
  }

  private SourceMessage message(@Nullable String given, Buffer body, Map<String, String> headers) {
    return new SourceMessage(given == null ? id : given, receipt(), body, headers, delivery, null);
  }

  /** Returns the id in the content, or null if there is none. */
  private @Nullable String given(String field) throws Unreadable {
    try {
      return id(parsed(), field);
    } catch (CodecException e) {
      return null; // it is no JSON: others read it
    }
  }

  private JsonNode parsed() {
    return Json.parse("the element", content.getBytes());
  }

  private static @Nullable String id(JsonNode object, String field) throws Unreadable {
    JsonNode given = object.get(field);
    if (given == null || given.isNull()) {
      return null;
    }
    String text = JsonTexts.of(given);
    if (text.isBlank() || text.length() > MOST_OF_AN_ID) {
      throw new Unreadable(
          "its \"%s\" is no id of 1 to %d characters".formatted(field, MOST_OF_AN_ID));
    }
    return text;
  }

  private SourceMessage opened() throws Unreadable {
    JsonNode envelope = decoded();
    JsonNode format = envelope.path("callboard");
    if (!format.isMissingNode() && !(format.isInt() && format.intValue() == FORMAT)) {
      throw new Unreadable(
          "its envelope has format %s; this version knows %d".formatted(format, FORMAT));
    }
    JsonNode headers = envelope.path("headers");
    if (!headers.isMissingNode() && !headers.isObject()) {
      throw new Unreadable("the \"headers\" of its envelope are no JSON object");
    }
    return message(id(envelope, "id"), body(envelope), JsonTexts.headers(headers));
  }

  private JsonNode decoded() throws Unreadable {
    JsonNode envelope;
    try {
      envelope = parsed();
    } catch (CodecException e) {
      throw new Unreadable(NO_ENVELOPE + ": " + e.getMessage());
    }
    if (!envelope.isObject()) {
      throw new Unreadable(NO_ENVELOPE);
    }
    return envelope;
  }

  private static Buffer body(JsonNode envelope) throws Unreadable {
    JsonNode bytes = envelope.get("base64");
    JsonNode body = envelope.get("body");
    if (bytes != null) {
      return decoded(bytes);
    } else if (body == null) {
      throw new Unreadable("its envelope has neither \"body\" nor \"base64\"");
    }
    return body.isTextual()
        ? Buffer.buffer(body.textValue())
        : Buffer.buffer(Json.uncheckedBytes(body));
  }

  private static Buffer decoded(JsonNode base64) throws Unreadable {
    if (base64.isTextual()) {
      try {
        return Buffer.buffer(Base64.getUrlDecoder().decode(base64.textValue()));
      } catch (IllegalArgumentException e) {
        throw new Unreadable("the \"base64\" of its envelope is not that");
      }
    }
    throw new Unreadable("the \"base64\" of its envelope is not that");
  }

  /** Returns the element that carries a message. */
  static Buffer envelope(EmittedMessage message) {
    JsonObject headers = new JsonObject();
    message.headers().forEach(headers::put);
    JsonObject envelope =
        new JsonObject().put("callboard", FORMAT).put("id", message.id()).put("headers", headers);
    String text = Bytes.text(message.body());
    if (text == null) {
      envelope.put("base64", message.body().getBytes());
    } else {
      envelope.put("body", text);
    }
    return envelope.toBuffer();
  }
}
