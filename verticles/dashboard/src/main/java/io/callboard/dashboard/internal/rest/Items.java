package io.callboard.dashboard.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.codecs.Json;
import io.callboard.dashboard.internal.contract.ApiResponse;
import java.util.List;

/** Complete list as a reply: {@code {"items":[…]}}. */
final class Items {
  private Items() {}

  static ApiResponse reply(List<?> values) {
    return ApiResponse.ok(object(values));
  }

  static ObjectNode object(List<?> values) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    ArrayNode items = body.putArray("items");
    values.forEach(
        value -> items.add(value instanceof JsonNode node ? node : Json.uncheckedTree(value)));
    return body;
  }
}
