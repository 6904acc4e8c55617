package io.callboard.workflows.definition;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import io.callboard.codecs.text.Suggestions;
import io.callboard.workflows.graph.GraphDefect;
import io.callboard.workflows.graph.GraphDefect.Code;
import io.callboard.workflows.graph.GraphStep;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Fields of an object of a definition; each mistake becomes a defect, and a default goes on. */
final class Fields {
  private static final Duration LONGEST = Duration.ofDays(3_650);

  /** Refusal of a duration that is none, or out of range. */
  static final String NO_DURATION = "\"%s\" is not a duration over 0 and up to ten years";

  /** Form of a duration that is right. */
  static final String DURATIONS = "ISO 8601: PT30S, PT5M, P1D";

  private final JsonNode object;
  private final String pointer;
  private final String step;
  private final List<GraphDefect> defects;
  private final Set<String> known = new TreeSet<>();

  /**
   * Reads the fields of an object.
   *
   * @param node the object; anything else is a defect
   * @param step id of the step that it belongs to; empty for none
   * @param defects receives the mistakes
   */
  Fields(JsonNode node, String pointer, String step, List<GraphDefect> defects) {
    this.pointer = pointer;
    this.step = step;
    this.defects = defects;
    this.object = node.isObject() ? node : JsonNodeFactory.instance.objectNode();
    if (!node.isObject()) {
      defect(Code.WF013, pointer, "expected an object, found " + kind(node), "");
    }
  }

  private void defect(Code code, String at, String message, String hint) {
    defects.add(new GraphDefect(code, step, at.isEmpty() ? "/" : at, message, hint));
  }

  /** Reports a value of a field that is not valid. */
  void invalid(Code code, String field, String message, String hint) {
    defect(code, at(field), message, hint);
  }

  String at(String field) {
    return pointer + "/" + GraphStep.escaped(field);
  }

  private JsonNode take(String field) {
    known.add(field);
    JsonNode value = object.get(field);
    return value == null ? NullNode.getInstance() : value;
  }

  /** Returns any value; null of JSON if it is missing. */
  JsonNode node(String field) {
    return take(field);
  }

  @Nullable String text(String field) {
    JsonNode value = take(field);
    if (value.isNull()) {
      return null;
    } else if (!value.isTextual()) {
      wrong(field, "a text", value);
      return null;
    }
    return value.textValue();
  }

  boolean truth(String field) {
    JsonNode value = take(field);
    if (!value.isNull() && !value.isBoolean()) {
      wrong(field, "true or false", value);
    }
    return value.isBoolean() && value.booleanValue();
  }

  int number(String field, int least, int most, int otherwise) {
    JsonNode value = take(field);
    if (value.isNull()) {
      return otherwise;
    }
    boolean fits =
        value.isNumber()
            && value.decimalValue().stripTrailingZeros().scale() <= 0
            && value.decimalValue().doubleValue() >= least
            && value.decimalValue().doubleValue() <= most;
    if (!fits) {
      wrong(field, wholeNumber(least, most), value);
      return otherwise;
    }
    return value.decimalValue().intValueExact();
  }

  @Nullable Duration duration(String field) {
    String text = text(field);
    if (text == null) {
      return null;
    }
    try {
      Duration duration = Duration.parse(text);
      if (isInRange(duration)) {
        return duration;
      }
    } catch (DateTimeParseException e) {
      // reported below, as is one out of range
    }
    invalid(Code.WF013, field, NO_DURATION.formatted(text), DURATIONS);
    return null;
  }

  /** Returns whether a definition may have a duration. */
  static boolean isInRange(Duration duration) {
    return !duration.isNegative() && !duration.isZero() && duration.compareTo(LONGEST) <= 0;
  }

  /** Returns an object of which any field is allowed; empty if it is missing. */
  JsonNode object(String field) {
    JsonNode value = take(field);
    if (value.isNull()) {
      return JsonNodeFactory.instance.objectNode();
    } else if (!value.isObject()) {
      wrong(field, "an object", value);
      return JsonNodeFactory.instance.objectNode();
    }
    return value;
  }

  static String wholeNumber(int least, int most) {
    return "a whole number from %d to %d".formatted(least, most);
  }

  private void wrong(String field, String expected, JsonNode found) {
    invalid(Code.WF013, field, wrong(field, expected, kind(found)), "");
  }

  /** Returns that a field is to be something else. */
  static String wrong(String field, String expected, String found) {
    return "%s is to be %s, not %s".formatted(field, expected, found);
  }

  static String kind(JsonNode node) {
    if (node.isTextual()) {
      return "the text \"%.40s\"".formatted(node.textValue());
    }
    return node.isObject() ? "an object" : node.isArray() ? "a list" : node.toString();
  }

  /** Reports the fields that were not read. */
  void noOthers() {
    for (Iterator<String> names = object.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (!known.contains(name)) {
        defect(
            Code.WF013,
            at(name),
            "there is no field \"%s\" here".formatted(name),
            Suggestions.of(name, known)
                .map("did you mean \"%s\"?"::formatted)
                .orElse("there are " + String.join(", ", known)));
      }
    }
  }
}
