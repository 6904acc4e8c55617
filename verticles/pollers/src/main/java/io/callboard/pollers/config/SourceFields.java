package io.callboard.pollers.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.pollers.model.ConfigDefect;
import io.callboard.workflows.template.Template;
import io.callboard.workflows.template.TemplateException;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reader of one object of a configuration, which notes every defect and goes on. Not thread-safe.
 */
final class SourceFields {
  private final String pointer;
  private final JsonNode json;
  private final List<ConfigDefect> defects;
  private final Set<String> known = new HashSet<>();

  SourceFields(String pointer, JsonNode json, List<ConfigDefect> defects) {
    this.pointer = pointer;
    this.defects = defects;
    this.json = json.isObject() ? json : JsonNodeFactory.instance.objectNode();
    if (!json.isObject()) {
      defects.add(new ConfigDefect(pointer, "must be an object, not %s".formatted(kind(json))));
    }
  }

  /** Returns what a value is, in words; never the value itself, which may be a secret. */
  static String kind(JsonNode value) {
    return switch (value.getNodeType()) {
      case STRING -> "a text";
      case NUMBER -> value.isIntegralNumber() ? "a whole number" : "a number";
      case BOOLEAN -> "true or false";
      case ARRAY -> "an array";
      case OBJECT -> "an object";
      default -> "nothing";
    };
  }

  void defect(String key, String message) {
    defects.add(new ConfigDefect(key.isEmpty() ? pointer : at(key), message));
  }

  String at(String key) {
    return pointer + "/" + key.replace("~", "~0").replace("/", "~1");
  }

  boolean has(String key) {
    return json.hasNonNull(key);
  }

  @Nullable JsonNode any(String key) {
    known.add(key);
    return json.hasNonNull(key) ? json.get(key) : null;
  }

  /** Returns a text; an empty one after a defect. */
  String text(String key) {
    JsonNode found = any(key);
    if (found == null) {
      defect(key, "is missing: give a text");
      return "";
    }
    return text(key, found);
  }

  private String text(String key, JsonNode found) {
    if (!found.isTextual() || found.textValue().isBlank()) {
      defect(
          key,
          "must be a text that is not empty, not %s"
              .formatted(found.isTextual() ? "a blank one" : kind(found)));
      return "";
    }
    return found.textValue();
  }

  @Nullable String textOr(String key, @Nullable String otherwise) {
    JsonNode found = any(key);
    return found == null ? otherwise : text(key, found);
  }

  String word(String key, List<String> words, String otherwise) {
    String found = textOr(key, otherwise);
    if (found != null && words.contains(found)) {
      return found;
    }
    defect(key, "must be one of %s, not \"%s\"".formatted(words, found));
    return otherwise;
  }

  int number(String key, int least, int most, int otherwise) {
    JsonNode found = any(key);
    if (found == null) {
      return otherwise;
    } else if (!found.canConvertToInt()
        || !found.isIntegralNumber()
        || found.intValue() < least
        || found.intValue() > most) {
      defect(
          key,
          "must be a whole number from %,d to %,d, not %s"
              .formatted(least, most, found.isNumber() ? found : kind(found)));
      return otherwise;
    }
    return found.intValue();
  }

  Duration duration(String key, Duration otherwise) {
    String found = textOr(key, null);
    if (found == null || found.isEmpty()) {
      return otherwise;
    }
    try {
      Duration read = Duration.parse(found);
      if (!read.isNegative() && !read.isZero()) {
        return read;
      }
      defect(key, "must be more than zero, not %s".formatted(found));
    } catch (DateTimeParseException e) {
      defect(key, "must be a duration as PT30S, not \"%s\"".formatted(found));
    }
    return otherwise;
  }

  /** Returns the reader of an object; of an empty one if it is absent. */
  SourceFields object(String key) {
    JsonNode found = any(key);
    return new SourceFields(
        at(key), found == null ? JsonNodeFactory.instance.objectNode() : found, defects);
  }

  private Template template(String place, JsonNode value, Set<String> roots) {
    try {
      return Template.of(value, roots);
    } catch (TemplateException e) {
      defects.add(new ConfigDefect(place + e.pointer(), String.valueOf(e.getMessage())));
      return Template.of(JsonNodeFactory.instance.nullNode(), roots);
    }
  }

  /** Returns a template; that of {@code otherwise} if it is absent. */
  Template template(String key, String otherwise, Set<String> roots) {
    JsonNode found = any(key);
    return template(
        at(key), found == null ? JsonNodeFactory.instance.textNode(otherwise) : found, roots);
  }

  /** Returns the template of an object, which may be a place of one. */
  Template objectTemplate(String key, Set<String> roots) {
    Template read = template(key, "", roots);
    JsonNode given = json.path(key);
    if (!given.isObject() && !(given.isTextual() && !read.isConstant())) {
      defect(
          key, "must be an object, or a place of one as ${/body}, not %s".formatted(kind(given)));
    }
    return read;
  }

  List<Template> templates(String key, int most, Set<String> roots) {
    JsonNode found = any(key);
    List<Template> read = new ArrayList<>();
    if (found == null || !found.isArray() || found.isEmpty() || found.size() > most) {
      defect(key, "must be a list of 1 to %,d texts".formatted(most));
      return read;
    }
    for (int i = 0; i < found.size(); i++) {
      read.add(template(at(key) + "/" + i, found.get(i), roots));
    }
    return read;
  }

  Map<String, Template> map(String key, int most, Set<String> roots) {
    Map<String, Template> read = new LinkedHashMap<>();
    JsonNode found = any(key);
    if (found == null) {
      return read;
    } else if (!found.isObject() || found.size() > most) {
      defect(key, "must be an object of up to %,d texts".formatted(most));
      return read;
    }
    SourceFields values = new SourceFields(at(key), found, defects);
    for (Map.Entry<String, JsonNode> each : found.properties()) {
      read.put(each.getKey(), template(values.at(each.getKey()), each.getValue(), roots));
    }
    return read;
  }

  /** Refuses every key that was not asked for. */
  void end() {
    for (Map.Entry<String, JsonNode> each : json.properties()) {
      if (!known.contains(each.getKey())) {
        defect(each.getKey(), "is unknown; there are %s".formatted(new TreeSet<>(known)));
      }
    }
  }
}
