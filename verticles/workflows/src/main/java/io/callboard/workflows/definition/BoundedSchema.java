package io.callboard.workflows.definition;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * Schema whose check takes no more time than its input is worth: a regular expression is tried on
 * short texts only, and items are compared with each other in short lists only. Longer ones do not
 * match. Pure.
 */
final class BoundedSchema {
  /** Maximum length of a text with a {@code pattern} or a {@code format}. */
  static final int MOST_TEXT = 4_096;

  /** Maximum number of items of a list with {@code uniqueItems}. */
  static final int MOST_ITEMS = 1_000;

  private BoundedSchema() {}

  /** Returns the schema with these limits; it has no defects. */
  static JsonNode of(JsonNode schema) {
    if (!schema.isObject()) {
      return schema;
    }
    ObjectNode copy = JsonNodeFactory.instance.objectNode();
    schema
        .properties()
        .forEach(each -> copy.set(each.getKey(), of(each.getKey(), each.getValue())));
    guard(copy, "maxLength", MOST_TEXT, List.of("pattern", "format"));
    if (copy.path("uniqueItems").asBoolean()) {
      guard(copy, "maxItems", MOST_ITEMS, List.of("uniqueItems"));
    }
    return copy;
  }

  private static JsonNode of(String keyword, JsonNode value) {
    SchemaKeyword.Kind kind =
        SchemaKeyword.of(keyword).map(SchemaKeyword::kind).orElse(SchemaKeyword.Kind.ANY);
    return switch (kind) {
      case SCHEMA -> of(value);
      case SCHEMAS -> {
        ArrayNode all = JsonNodeFactory.instance.arrayNode();
        value.forEach(each -> all.add(of(each)));
        yield all;
      }
      case SCHEMA_BY_NAME, SCHEMA_BY_PATTERN -> {
        ObjectNode all = JsonNodeFactory.instance.objectNode();
        value.properties().forEach(each -> all.set(each.getKey(), of(each.getValue())));
        yield all;
      }
      default -> value;
    };
  }

  /** Moves keywords behind the condition that the value is within a limit, and demands that. */
  private static void guard(ObjectNode schema, String limit, int most, List<String> keywords) {
    ObjectNode guarded = JsonNodeFactory.instance.objectNode();
    for (String keyword : keywords) {
      if (schema.has(keyword)) {
        guarded.set(keyword, schema.remove(keyword));
      }
    }
    if (!guarded.isEmpty()) {
      ObjectNode within = JsonNodeFactory.instance.objectNode().put(limit, most);
      ArrayNode all = schema.withArray("/allOf"); // at its end, for those before have places
      ObjectNode guard = all.addObject();
      guard.set("if", within);
      guard.set("then", guarded);
      guard.set("else", within.deepCopy());
    }
  }
}
