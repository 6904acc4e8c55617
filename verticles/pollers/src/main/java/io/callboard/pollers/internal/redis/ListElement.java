package io.callboard.pollers.internal.redis;

import io.callboard.pollers.source.EmittedMessage;
import io.callboard.pollers.source.SourceMessage;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
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
      return Json.decodeValue(content) instanceof JsonObject object ? id(object, field) : null;
    } catch (DecodeException e) {
      return null; // it is no JSON: others read it
    }
  }

  private static @Nullable String id(JsonObject object, String field) throws Unreadable {
    Object given = object.getValue(field);
    if (given == null) {
      return null;
    }
    String text = given.toString();
    if (text.isBlank() || text.length() > MOST_OF_AN_ID) {
      throw new Unreadable(
          "its \"%s\" is no id of 1 to %d characters".formatted(field, MOST_OF_AN_ID));
    }
    return text;
  }

  private SourceMessage opened() throws Unreadable {
    if (!(decoded() instanceof JsonObject envelope)) {
      throw new Unreadable("it is no envelope, which is a JSON object");
    }
    if (!Integer.valueOf(FORMAT).equals(envelope.getValue("callboard", FORMAT))) {
      throw new Unreadable(
          "its envelope has format %s; this version knows %d"
              .formatted(envelope.getValue("callboard"), FORMAT));
    }
    Map<String, String> headers = new HashMap<>();
    if (envelope.getValue("headers", new JsonObject()) instanceof JsonObject found) {
      found.forEach(each -> headers.put(each.getKey(), String.valueOf(each.getValue())));
    } else {
      throw new Unreadable("the \"headers\" of its envelope are no JSON object");
    }
    return message(id(envelope, "id"), body(envelope), headers);
  }

  private @Nullable Object decoded() {
    try {
      return Json.decodeValue(content);
    } catch (DecodeException e) {
      return null;
    }
  }

  private static Buffer body(JsonObject envelope) throws Unreadable {
    if (envelope.containsKey("base64")) {
      try {
        return Buffer.buffer(envelope.getBinary("base64"));
      } catch (ClassCastException | IllegalArgumentException | NullPointerException e) {
        throw new Unreadable("the \"base64\" of its envelope is not that");
      }
    } else if (!envelope.containsKey("body")) {
      throw new Unreadable("its envelope has neither \"body\" nor \"base64\"");
    }
    Object body = envelope.getValue("body");
    return body instanceof String text ? Buffer.buffer(text) : Json.encodeToBuffer(body);
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
