package io.callboard.workflows.definition;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.Json;
import io.callboard.codecs.fields.Fields;
import io.callboard.codecs.internal.text.Suggestions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Checks a JSON Schema (draft 2020-12) that a definition contains: all its keywords are known,
 * their values are of the right kind, and it refers to nothing but itself. Pure.
 */
final class SchemaForm {
  /** Maximum size of a schema as JSON. */
  static final int MOST_BYTES = 64 * 1024;

  /** Maximum depth of a schema. */
  static final int MOST_DEPTH = 32;

  private static final int MOST_DEFECTS = 20;
  private static final String DRAFT = "https://json-schema.org/draft/2020-12/schema";

  private static final String IN_DEFS = "name it in $defs, and refer to that in both places";

  private final Map<String, JsonNode> schemas = new LinkedHashMap<>();
  private final Map<String, String> refs = new LinkedHashMap<>();
  private final List<String> byPattern = new ArrayList<>();
  private final List<Defect> defects = new ArrayList<>();
  private final String base;
  private final boolean stored;

  private SchemaForm(String base, boolean stored) {
    this.base = base;
    this.stored = stored;
  }

  /**
   * Defect of a schema.
   *
   * @param pointer JSON pointer of its place in the definition
   * @param message what is wrong
   * @param hint what would be right; empty if the message says it
   */
  record Defect(String pointer, String message, String hint) {}

  /**
   * Returns the defects of a schema, at most {@value #MOST_DEFECTS}.
   *
   * @param base JSON pointer of the schema in the definition
   * @param stored whether it was stored before, perhaps by a version with another dialect of
   *     patterns: then inputs cannot be checked against them
   */
  static List<Defect> check(JsonNode schema, String base, boolean stored) {
    SchemaForm form = new SchemaForm(base, stored);
    int bytes = Json.uncheckedBytes(schema).length;
    if (bytes > MOST_BYTES) {
      form.defect(
          "",
          "the schema has %,d bytes as JSON; the limit is %,d".formatted(bytes, MOST_BYTES),
          "");
      return form.defects;
    }
    form.schema(schema, "", 0);
    form.refs.forEach(form::refers);
    if (form.defects.isEmpty()) {
      SchemaCost.of(form.schemas, form.refs)
          .ifPresent(found -> form.defect(found.pointer(), found.message(), found.hint()));
    }
    return form.defects;
  }

  private void defect(String at, String message, String hint) {
    if (defects.size() < MOST_DEFECTS) {
      defects.add(new Defect(base + at, message, hint));
    }
  }

  private void schema(JsonNode schema, String at, int depth) {
    if (schema.isBoolean()) {
      schemas.put(at, schema);
    } else if (!schema.isObject()) {
      defect(at, "a schema must be an object, not " + Fields.shown(schema), "");
    } else if (depth > MOST_DEPTH) {
      defect(at, "the schema has more than %d levels".formatted(MOST_DEPTH), "use $ref and $defs");
    } else {
      schemas.put(at, schema);
      schema
          .properties()
          .forEach(
              each ->
                  keyword(
                      each.getKey(),
                      each.getValue(),
                      at + "/" + Fields.escaped(each.getKey()),
                      depth + 1));
    }
  }

  private void keyword(String name, JsonNode value, String at, int depth) {
    SchemaKeyword known = SchemaKeyword.of(name).orElse(null);
    if (known == null) {
      defect(
          at,
          "there is no keyword \"%.100s\" for the schema of an input".formatted(name),
          Suggestions.of(name, SchemaKeyword.names())
              .map(Suggestions::question)
              .orElse("keywords are those of draft 2020-12 without $id, $anchor and $dynamicRef"));
      return;
    }
    switch (known.kind()) {
      case SCHEMA -> schema(value, at, depth);
      case SCHEMAS -> {
        if (!value.isArray() || value.isEmpty()) {
          defect(at, "%s must be a list of schemas".formatted(name), "");
        }
        for (int i = 0; i < value.size() && value.isArray(); i++) {
          schema(value.get(i), at + "/" + i, depth + 1);
        }
      }
      case SCHEMA_BY_NAME -> named(name, value, at, (child, its) -> schema(its, child, depth + 1));
      case SCHEMA_BY_PATTERN -> {
        byPattern.add(at + "/");
        named(
            name,
            value,
            at,
            (child, its) -> {
              String last = child.substring(child.lastIndexOf('/') + 1);
              pattern(Fields.unescaped(last), child);
              schema(its, child, depth + 1);
            });
      }
      case PATTERN -> {
        known.fault(value).ifPresent(fault -> defect(at, fault, ""));
        if (value.isTextual()) {
          pattern(value.textValue(), at);
        }
      }
      case REF -> ref(value, at);
      case DRAFT -> {
        if (!value.asText().equals(DRAFT)) {
          defect(
              at,
              "%s is not supported".formatted(Fields.shown(value)),
              "omit it, or give " + DRAFT);
        }
      }
      default -> known.fault(value).ifPresent(fault -> defect(at, fault, ""));
    }
  }

  private void named(
      String name, JsonNode value, String at, BiConsumer<String, JsonNode> schemaAt) {
    if (!value.isObject()) {
      defect(
          at, "%s must be an object of schemas, not %s".formatted(name, Fields.shown(value)), "");
    }
    value
        .properties()
        .forEach(e -> schemaAt.accept(at + "/" + Fields.escaped(e.getKey()), e.getValue()));
  }

  private void pattern(String text, String at) {
    if (!stored) {
      try {
        SchemaPattern unused = SchemaPattern.of(text);
      } catch (IllegalArgumentException e) {
        defect(at, String.valueOf(e.getMessage()), "");
      }
    }
  }

  private void ref(JsonNode value, String at) {
    String text = value.asText();
    if (value.isTextual() && (text.equals("#") || text.startsWith("#/"))) {
      refs.put(at, text.substring(1));
    } else {
      defect(
          at,
          "%s is not a place in this schema".formatted(Fields.shown(value)),
          "for example #/$defs/item; nothing is fetched from elsewhere");
    }
  }

  private void refers(String at, String to) {
    if (!schemas.containsKey(to)) {
      defect(at, "there is no schema at #%.200s".formatted(to), "");
    } else if (!stored && byPattern.stream().anyMatch(to::startsWith)) {
      defect(at, "#%.200s is not one schema, but that of many names".formatted(to), IN_DEFS);
    }
  }
}
