package io.callboard.workflows.template;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.codecs.fields.Fields;
import io.callboard.time.Machine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * JSON value with places that are filled from a message, or from what a step sees. Immutable.
 *
 * <p>In its texts, {@code ${/json/pointer}} stands for the value at that pointer. A text that is
 * exactly one of them becomes the value itself; else the value is put in as text, an object or
 * array as JSON. <code>$${</code> stands for a plain <code>${</code>. Keys are taken as they are.
 */
@Machine
public final class Template {
  private final JsonNode json;
  private final Map<String, TextTemplate> texts = new TreeMap<>();

  private Template(JsonNode json) {
    this.json = json;
  }

  /**
   * Reads a template.
   *
   * @param roots names that the first part of each pointer may have
   * @throws TemplateException for the first text with a place that is none
   */
  public static Template of(JsonNode json, Set<String> roots) {
    Template made = new Template(json.deepCopy());
    for (TemplateException fault : made.read("", made.json, roots)) {
      throw fault;
    }
    return made;
  }

  /**
   * Returns the failures of {@link #of}, one for each text with an invalid place.
   *
   * @param roots names that the first part of each pointer may have
   */
  public static List<TemplateException> faults(JsonNode json, Set<String> roots) {
    return new Template(json).read("", json, roots);
  }

  private List<TemplateException> read(String pointer, JsonNode at, Set<String> roots) {
    List<TemplateException> faults = new ArrayList<>();
    if (at.isTextual()) {
      try {
        TextTemplate text = TextTemplate.of(pointer, at.textValue(), roots);
        if (!text.isPlain(at.textValue())) {
          texts.put(pointer, text);
        }
      } catch (TemplateException e) {
        faults.add(e);
      }
    } else if (at.isObject()) {
      for (Map.Entry<String, JsonNode> each : at.properties()) {
        String inside = pointer + "/" + Fields.escaped(each.getKey());
        faults.addAll(read(inside, each.getValue(), roots));
      }
    } else {
      for (int i = 0; i < at.size(); i++) {
        faults.addAll(read(pointer + "/" + i, at.get(i), roots));
      }
    }
    return faults;
  }

  /** Returns the template as text. */
  public String text() {
    return json.isTextual() ? json.textValue() : json.toString();
  }

  /** Returns the pointers that the places read, by the JSON pointer of the text with the places. */
  public Map<String, List<JsonPointer>> places() {
    Map<String, List<JsonPointer>> places = new TreeMap<>();
    texts.forEach((pointer, text) -> places.put(pointer, text.places()));
    return places;
  }

  /** Returns whether the template does not depend on the data. */
  public boolean isConstant() {
    return texts.values().stream().allMatch(text -> text.places().isEmpty());
  }

  /** Returns the value for any data; empty if it depends on them. */
  public Optional<JsonNode> constant() {
    return isConstant() ? Optional.of(fill(MissingNode.getInstance())) : Optional.empty();
  }

  /**
   * Fills the places.
   *
   * @throws TemplateException if the data lacks one of the values
   */
  public JsonNode fill(JsonNode data) {
    return fill("", data);
  }

  /**
   * Fills the places.
   *
   * @param place JSON pointer of the template, as errors name it
   * @throws TemplateException if the data lacks one of the values
   */
  public JsonNode fill(String place, JsonNode data) {
    return fill(place, "", json, data);
  }

  /**
   * Fills the places of a template that is to give a text, a number or a boolean, which is returned
   * as text.
   *
   * @param place JSON pointer of the template, as errors name it
   * @throws TemplateException if it gives something else, or the data lacks one of the values
   */
  public String fillText(String place, JsonNode data) {
    JsonNode filled = fill(place, data);
    if (!filled.isValueNode() || filled.isNull()) {
      throw new TemplateException(
          place,
          "%s: %s gives no text but %s".formatted(place, text(), TextTemplate.shortened(filled)));
    }
    return filled.asText();
  }

  private JsonNode fill(String place, String pointer, JsonNode at, JsonNode data) {
    if (at.isTextual()) {
      TextTemplate text = texts.get(pointer);
      return text == null ? at : text.fill(place + pointer, data);
    } else if (at.isObject()) {
      ObjectNode filled = JsonNodeFactory.instance.objectNode();
      at.properties()
          .forEach(
              each -> {
                String inside = pointer + "/" + Fields.escaped(each.getKey());
                filled.set(each.getKey(), fill(place, inside, each.getValue(), data));
              });
      return filled;
    } else if (at.isArray()) {
      ArrayNode filled = JsonNodeFactory.instance.arrayNode();
      for (int i = 0; i < at.size(); i++) {
        filled.add(fill(place, pointer + "/" + i, at.get(i), data));
      }
      return filled;
    }
    return at;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Template that && json.equals(that.json);
  }

  @Override
  public int hashCode() {
    return json.hashCode();
  }

  @Override
  public String toString() {
    return json.toString();
  }
}
