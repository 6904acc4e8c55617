package io.callboard.workflows.definition;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.HashSet;
import java.util.Set;

/**
 * Schema whose check takes no more time than its input is worth: patterns are {@link
 * SchemaPattern}s, tried on short texts only, and items are compared with each other in short lists
 * only. Longer ones do not match. Pure.
 *
 * <p>The library that checks would match patterns itself, by backtracking. So {@code pattern}
 * becomes a {@code format}, which it asks of {@link InputSchema}; {@code patternProperties} becomes
 * {@code properties} with those names of the input that match.
 */
final class BoundedSchema {
  /** Maximum length of a text with a {@code pattern} or a {@code format}. */
  static final int MOST_TEXT = 4_096;

  /** Maximum number of items of a list with {@code uniqueItems}. */
  static final int MOST_ITEMS = 1_000;

  /** Beginning of a format that stands for a pattern. */
  static final String PATTERN = "pattern: ";

  private static final String BY_PATTERN = "patternProperties";
  private static final String DEFS = "$defs";

  /** Steps that a name takes for which a schema gets a property, beside one for each object. */
  private static final int NAME = 1_000;

  private final JsonNode root;
  private final PatternSearch search;
  private final ObjectNode byPattern = JsonNodeFactory.instance.objectNode();
  private final Set<String> names = new HashSet<>();
  private int objects;

  private BoundedSchema(JsonNode root, JsonNode input, PatternSearch search) {
    this.root = root;
    this.search = search;
    count(input);
  }

  private void count(JsonNode value) {
    if (value.isObject()) {
      objects++;
      value.fieldNames().forEachRemaining(names::add);
    }
    value.forEach(this::count);
  }

  /**
   * Returns the schema with these limits, for one input; it has no defects.
   *
   * @throws PatternSearch.Endless if names and patterns take too long
   */
  static JsonNode of(JsonNode schema, JsonNode input, PatternSearch search) {
    BoundedSchema its = new BoundedSchema(schema, input, search);
    JsonNode bounded = its.of(schema);
    if (bounded instanceof ObjectNode object && !its.byPattern.isEmpty()) {
      object.withObjectProperty(DEFS).setAll(its.byPattern);
    }
    return bounded;
  }

  /** Returns whether a schema is the same for each input. */
  static boolean isFixed(JsonNode schema) {
    return schema.findValue(BY_PATTERN) == null;
  }

  private JsonNode of(JsonNode schema) {
    if (!schema.isObject()) {
      return schema;
    }
    ObjectNode copy = JsonNodeFactory.instance.objectNode();
    schema
        .properties()
        .forEach(each -> copy.set(each.getKey(), of(each.getKey(), each.getValue())));
    copy.remove(BY_PATTERN);
    JsonNode pattern = copy.remove("pattern");
    if (pattern != null) {
      guard(copy, text(0), "format", TextNode.valueOf(PATTERN + pattern.asText()));
    }
    JsonNode format = copy.remove("format");
    if (format != null) {
      String its = format.asText();
      guard(
          copy,
          text(its.endsWith("email") ? 1 : 0), // the library takes its first character
          "format",
          its.equals("url") ? TextNode.valueOf("uri") : format); // its own expression backtracks
    }
    JsonNode unique = copy.remove("uniqueItems");
    if (unique != null && unique.booleanValue()) {
      guard(
          copy,
          JsonNodeFactory.instance.objectNode().put("maxItems", MOST_ITEMS),
          "uniqueItems",
          unique);
    }
    schema
        .path(BY_PATTERN)
        .properties()
        .forEach(each -> name(copy, schema.path("properties"), each.getKey(), each.getValue()));
    return copy;
  }

  private JsonNode of(String keyword, JsonNode value) {
    SchemaKeyword.Kind kind =
        SchemaKeyword.of(keyword).map(SchemaKeyword::kind).orElse(SchemaKeyword.Kind.ANY);
    return switch (kind) {
      case SCHEMA -> of(value);
      case SCHEMAS -> {
        ArrayNode all = JsonNodeFactory.instance.arrayNode();
        value.forEach(each -> all.add(of(each)));
        yield all;
      }
      case SCHEMA_BY_NAME -> {
        ObjectNode all = JsonNodeFactory.instance.objectNode();
        value.properties().forEach(each -> all.set(each.getKey(), of(each.getValue())));
        yield all;
      }
      default -> value;
    };
  }

  private static ObjectNode text(int least) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("maxLength", MOST_TEXT)
        .put("minLength", least);
  }

  /** Moves a keyword behind the condition that the value is within a limit, and demands that. */
  private static void guard(ObjectNode schema, ObjectNode within, String keyword, JsonNode value) {
    ArrayNode all = schema.withArrayProperty("allOf"); // at its end: those before have places
    ObjectNode guard = all.addObject();
    guard.set("if", within);
    guard.set("then", JsonNodeFactory.instance.objectNode().set(keyword, value));
    guard.set("else", within.deepCopy());
  }

  /** Adds properties for the names of the input that match a pattern. */
  private void name(ObjectNode schema, JsonNode declared, String pattern, JsonNode value) {
    String key = "%s-%d".formatted(BY_PATTERN, byPattern.size());
    while (byPattern.has(key) || root.path(DEFS).has(key)) {
      key += "-";
    }
    byPattern.putNull(key); // before those in it
    byPattern.set(key, of(value));
    for (String name : names) {
      if (search.isFoundIn(name, pattern)) {
        search.spend(NAME + objects);
        ObjectNode its = // what refers to a property that is declared means that one alone
            declared.has(name) ? schema.withArrayProperty("allOf").addObject() : schema;
        its.withObjectProperty("properties")
            .withObjectProperty(name)
            .withArrayProperty("allOf")
            .addObject()
            .put("$ref", "#/%s/%s".formatted(DEFS, key));
      }
    }
  }
}
