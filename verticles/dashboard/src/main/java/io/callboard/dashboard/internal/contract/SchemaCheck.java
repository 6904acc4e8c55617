package io.callboard.dashboard.internal.contract;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.fields.Fields;
import io.callboard.codecs.internal.text.PlainText;
import io.callboard.codecs.internal.text.Suggestions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Checks a value against a schema of the contract, and describes each fault. Knows only the {@link
 * #KEYWORDS} that the contract uses.
 */
final class SchemaCheck {
  /** Keywords that are evaluated; {@code x-means} describes what {@code pattern} demands. */
  static final Set<String> KEYWORDS =
      Set.of(
          "type",
          "properties",
          "required",
          "additionalProperties",
          "propertyNames",
          "items",
          "enum",
          "minLength",
          "maxLength",
          "minimum",
          "maximum",
          "minItems",
          "maxItems",
          "minProperties",
          "maxProperties",
          "pattern",
          "format",
          "$ref");

  private static final int MOST_FAULTS = 20;

  private final JsonNode contract;
  private final List<Fault> faults = new ArrayList<>();

  private SchemaCheck(JsonNode contract) {
    this.contract = contract;
  }

  /**
   * Returns the faults of {@code value}, at most {@value #MOST_FAULTS}; empty if it matches.
   *
   * @param contract document to which {@code $ref} refers
   * @param pointer JSON pointer of the value
   */
  static List<Fault> check(JsonNode contract, JsonNode schema, JsonNode value, String pointer) {
    SchemaCheck check = new SchemaCheck(contract);
    check.any(check.resolved(schema), value, pointer);
    return check.faults;
  }

  private JsonNode resolved(JsonNode schema) {
    JsonNode ref = schema.get("$ref");
    return ref == null ? schema : contract.at(ref.asText().substring(1));
  }

  private void any(JsonNode schema, JsonNode value, String pointer) {
    String type = schema.path("type").asText("");
    if (!type.isEmpty() && !isOf(type, value)) {
      String rest = value.isNull() ? ": omit it instead" : "";
      fault(pointer, "must be %s, not %s%s".formatted(article(type), nameOf(value), rest));
      return;
    }
    if (schema.has("enum") && !contains(schema.get("enum"), value)) {
      List<String> allowed = texts(schema.get("enum"));
      fault(
          pointer,
          "must be %s, not %s%s"
              .formatted(
                  allowed.size() == 1 ? allowed.get(0) : "one of " + String.join(", ", allowed),
                  IsoText.quoted(value.asText()),
                  Suggestions.of(value.asText(), allowed)
                      .map(name -> "; " + Suggestions.question(name))
                      .orElse("")));
    } else if (value.isObject()) {
      object(schema, value, pointer);
    } else if (value.isArray()) {
      list(schema, value, pointer);
    } else if (value.isTextual()) {
      text(schema, value.asText(), pointer);
    } else if (value.isNumber()) {
      between(schema, "minimum", "maximum", value.asDouble(), "", pointer);
    }
  }

  private void object(JsonNode schema, JsonNode value, String pointer) {
    JsonNode properties = schema.path("properties");
    JsonNode others = schema.path("additionalProperties");
    for (JsonNode name : schema.path("required")) {
      if (!value.has(name.asText())) {
        fault(pointer + "/" + name.asText(), "is required");
      }
    }
    between(schema, "minProperties", "maxProperties", value.size(), " entries", pointer);
    for (Map.Entry<String, JsonNode> field : value.properties()) {
      String at = pointer + "/" + Fields.escaped(field.getKey());
      if (properties.has(field.getKey())) {
        any(resolved(properties.get(field.getKey())), field.getValue(), at);
      } else if (others.isObject()) {
        if (schema.has("propertyNames")) {
          text(schema.get("propertyNames"), field.getKey(), at);
        }
        any(resolved(others), field.getValue(), at);
      } else if (others.isBoolean() && !others.asBoolean()) {
        Set<String> known = new TreeSet<>();
        properties.fieldNames().forEachRemaining(known::add);
        fault(
            at,
            "unknown field %s%s"
                .formatted(
                    IsoText.quoted(field.getKey()), Suggestions.hint(field.getKey(), known)));
      }
    }
  }

  private void list(JsonNode schema, JsonNode value, String pointer) {
    between(schema, "minItems", "maxItems", value.size(), " items", pointer);
    if (!schema.has("items") || value.size() > schema.path("maxItems").asInt(Integer.MAX_VALUE)) {
      return;
    }
    for (int i = 0; i < value.size(); i++) {
      any(resolved(schema.get("items")), value.get(i), pointer + "/" + i);
    }
  }

  private void text(JsonNode schema, String value, String pointer) {
    between(schema, "minLength", "maxLength", value.length(), " characters", pointer);
    Optional<String> unplain = PlainText.fault(value);
    if (unplain.isPresent()) {
      fault(pointer, unplain.get());
    } else if (schema.has("pattern") && !value.matches(schema.get("pattern").asText())) {
      String means = schema.path("x-means").asText("must match " + schema.get("pattern").asText());
      fault(pointer, "%s, not %s".formatted(means, IsoText.quoted(value)));
    }
    switch (schema.path("format").asText("")) {
      case "date-time" -> IsoText.timeFault(value).ifPresent(why -> fault(pointer, why));
      case "duration" -> IsoText.durationFault(value).ifPresent(why -> fault(pointer, why));
      default -> {}
    }
  }

  private void between(
      JsonNode schema, String min, String max, double value, String unit, String pointer) {
    boolean under = schema.has(min) && value < schema.get(min).asDouble();
    boolean over = schema.has(max) && value > schema.get(max).asDouble();
    if (!under && !over) {
      return;
    }
    String range =
        !schema.has(max)
            ? "at least " + schema.get(min).asText()
            : !schema.has(min)
                ? "at most " + schema.get(max).asText()
                : schema.get(min).asText() + " to " + schema.get(max).asText();
    String given = value == Math.rint(value) ? String.valueOf((long) value) : String.valueOf(value);
    fault(
        pointer,
        unit.isEmpty()
            ? "must be %s, not %s".formatted(range, given)
            : "must have %s%s, not %s".formatted(range, unit, given));
  }

  private void fault(String pointer, String detail) {
    if (faults.size() < MOST_FAULTS) {
      faults.add(new Fault(pointer, detail));
    }
  }

  private static boolean isOf(String type, JsonNode value) {
    return switch (type) {
      case "string" -> value.isTextual();
      case "integer" -> value.isIntegralNumber();
      case "number" -> value.isNumber();
      case "boolean" -> value.isBoolean();
      case "object" -> value.isObject();
      case "array" -> value.isArray();
      default -> throw new IllegalStateException("the contract has a type " + type);
    };
  }

  private static String nameOf(JsonNode value) {
    return switch (value.getNodeType()) {
      case STRING -> "the string " + IsoText.quoted(value.asText());
      case NUMBER -> "the number " + value.asText();
      case BOOLEAN -> value.asText();
      case OBJECT -> "an object";
      case ARRAY -> "a list";
      default -> "null";
    };
  }

  private static String article(String type) {
    return switch (type) {
      case "array" -> "a list";
      case "integer" -> "a whole number";
      case "object" -> "an object";
      case "boolean" -> "true or false";
      default -> "a " + type;
    };
  }

  private static boolean contains(JsonNode list, JsonNode value) {
    for (JsonNode item : list) {
      if (item.equals(value)) {
        return true;
      }
    }
    return false;
  }

  private static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(item -> texts.add(item.asText()));
    return texts;
  }
}
