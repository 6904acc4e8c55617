package io.callboard.dashboard.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.codecs.Json;
import io.callboard.dashboard.internal.contract.ApiResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** List as a reply: {@code {"items":[…]}}. */
final class Items {
  private Items() {}

  static ApiResponse reply(List<?> values) {
    return ApiResponse.ok(object(values));
  }

  /** Returns a page of a list, which lacks what some nodes have if it is partial. */
  static ApiResponse page(
      List<?> values, @Nullable String next, boolean partial, List<String> missing) {
    ObjectNode body = object(values);
    if (next != null) {
      body.put("next", next);
    }
    if (partial) {
      body.put("partial", true);
      body.set("missing", Json.tree(missing));
    }
    return ApiResponse.ok(body);
  }

  static ObjectNode object(List<?> values) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    ArrayNode items = body.putArray("items");
    values.forEach(
        value -> items.add(value instanceof JsonNode node ? node : Json.uncheckedTree(value)));
    return body;
  }
}
