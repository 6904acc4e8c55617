package io.callboard.pollers.internal.json;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.Map;

/** Texts of JSON values, where a message needs texts: its id and its headers. */
public final class JsonTexts {
  private JsonTexts() {}

  /** Returns a text as it is, a number with all its digits, an object or array as JSON. */
  public static String of(JsonNode value) {
    return value.isValueNode() ? value.asText() : value.toString();
  }

  /** Returns the headers in an object; one that is null is none. */
  public static Map<String, String> headers(JsonNode object) {
    Map<String, String> headers = new HashMap<>();
    object
        .fields()
        .forEachRemaining(
            each -> {
              if (!each.getValue().isNull()) {
                headers.put(each.getKey(), of(each.getValue()));
              }
            });
    return headers;
  }
}
