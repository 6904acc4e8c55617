package io.callboard.workflows.definition;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.fields.Fields;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Keyword of JSON Schema, draft 2020-12.
 *
 * @param name its name
 * @param kind what its value is
 */
record SchemaKeyword(String name, Kind kind) {
  /** Maximum number of values of an {@code enum}. */
  static final int MOST_VALUES = 1_000;

  private static final Set<String> TYPES =
      Set.of("null", "boolean", "object", "array", "number", "string", "integer");

  private static final Map<String, SchemaKeyword> ALL = new HashMap<>();

  /** Kind of the value of a keyword. */
  enum Kind {
    /** A schema. */
    SCHEMA,
    /** A list of schemas. */
    SCHEMAS,
    /** Schemas by name. */
    SCHEMA_BY_NAME,
    /** Schemas by regular expression. */
    SCHEMA_BY_PATTERN,
    /** A place in the schema. */
    REF,
    /** The draft. */
    DRAFT,
    /** A regular expression. */
    PATTERN,
    /** A type, or a list of them. */
    TYPE,
    /** A number. */
    NUMBER,
    /** A number over 0. */
    POSITIVE,
    /** A whole number from 0 on. */
    COUNT,
    /** A text. */
    TEXT,
    /** True or false. */
    TRUTH,
    /** A list of different texts. */
    NAMES,
    /** Lists of different texts by name. */
    NAMES_BY_NAME,
    /** A list of up to {@value #MOST_VALUES} values. */
    VALUES,
    /** Form of any value. */
    ANY
  }

  static {
    all(Kind.SCHEMA, "additionalProperties", "propertyNames", "unevaluatedProperties", "items");
    all(Kind.SCHEMA, "unevaluatedItems", "contains", "not", "if", "then", "else");
    all(Kind.SCHEMAS, "allOf", "anyOf", "oneOf", "prefixItems");
    all(Kind.SCHEMA_BY_NAME, "properties", "dependentSchemas", "$defs");
    all(Kind.SCHEMA_BY_PATTERN, "patternProperties");
    all(Kind.REF, "$ref");
    all(Kind.DRAFT, "$schema");
    all(Kind.PATTERN, "pattern");
    all(Kind.TYPE, "type");
    all(Kind.NUMBER, "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum");
    all(Kind.POSITIVE, "multipleOf");
    all(Kind.COUNT, "maxLength", "minLength", "maxItems", "minItems", "maxContains");
    all(Kind.COUNT, "minContains", "maxProperties", "minProperties");
    all(Kind.TEXT, "title", "description", "$comment", "format");
    all(Kind.TRUTH, "uniqueItems", "deprecated", "readOnly", "writeOnly");
    all(Kind.NAMES, "required");
    all(Kind.NAMES_BY_NAME, "dependentRequired");
    all(Kind.VALUES, "enum");
    all(Kind.ANY, "const", "default", "examples");
  }

  private static void all(Kind kind, String... names) {
    List.of(names).forEach(name -> ALL.put(name, new SchemaKeyword(name, kind)));
  }

  /** Returns a keyword; empty if there is none of that name. */
  static Optional<SchemaKeyword> of(String name) {
    return Optional.ofNullable(ALL.get(name));
  }

  /** Returns the names of all keywords. */
  static Set<String> names() {
    return new TreeSet<>(ALL.keySet());
  }

  /** Returns what is wrong with a value that contains no schema; empty if nothing is. */
  Optional<String> fault(JsonNode value) {
    return switch (kind) {
      case TYPE -> fault(isType(value), "a type, or a list of types, of " + types(), value);
      case NUMBER -> fault(value.isNumber(), "a number", value);
      case POSITIVE -> fault(value.isNumber() && value.doubleValue() > 0, "over 0", value);
      case COUNT -> fault(isCount(value), "a whole number from 0 on", value);
      case TEXT, PATTERN -> fault(value.isTextual(), "a text", value);
      case TRUTH -> fault(value.isBoolean(), "true or false", value);
      case NAMES -> fault(areNames(value), "a list of different texts", value);
      case NAMES_BY_NAME -> fault(areNamesByName(value), "lists of different texts by name", value);
      case VALUES ->
          fault(
              value.isArray() && !value.isEmpty() && value.size() <= MOST_VALUES,
              "a list with 1 to %,d values".formatted(MOST_VALUES),
              value);
      default -> Optional.empty();
    };
  }

  private Optional<String> fault(boolean right, String expected, JsonNode found) {
    return right
        ? Optional.empty()
        : Optional.of("%s must be %s, not %s".formatted(name, expected, Fields.shown(found)));
  }

  private static String types() {
    return String.join(", ", new TreeSet<>(TYPES));
  }

  private static boolean isType(JsonNode value) {
    boolean all = !value.isEmpty() && areNames(value);
    for (JsonNode each : value) {
      all &= TYPES.contains(each.asText());
    }
    return value.isTextual() ? TYPES.contains(value.textValue()) : all;
  }

  private static boolean isCount(JsonNode value) {
    return value.isNumber()
        && value.doubleValue() >= 0
        && value.doubleValue() <= Integer.MAX_VALUE
        && value.decimalValue().stripTrailingZeros().scale() <= 0;
  }

  private static boolean areNames(JsonNode value) {
    Set<String> names = new HashSet<>();
    boolean all = value.isArray();
    for (JsonNode each : value) {
      all &= each.isTextual() && names.add(each.textValue());
    }
    return all;
  }

  private static boolean areNamesByName(JsonNode value) {
    boolean all = value.isObject();
    for (JsonNode each : value) {
      all &= areNames(each);
    }
    return all;
  }
}
