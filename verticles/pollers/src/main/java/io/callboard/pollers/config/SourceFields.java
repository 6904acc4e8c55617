package io.callboard.pollers.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.codecs.fields.FieldDefect;
import io.callboard.codecs.fields.Fields;
import io.callboard.workflows.template.Template;
import io.callboard.workflows.template.TemplateException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Reader of one object of a configuration, which may have templates. Not thread-safe. */
final class SourceFields extends Fields {
  private final Consumer<FieldDefect> defects;
  private final MessagePlaces places;
  private final String pointer;

  /**
   * Creates a reader.
   *
   * @param places places of the messages that its templates see
   */
  SourceFields(JsonNode json, String pointer, MessagePlaces places, Consumer<FieldDefect> defects) {
    super(json, pointer, defects);
    this.places = places;
    this.pointer = pointer;
    this.defects = defects;
  }

  /** Returns a reader of an object whose templates see the same messages. */
  SourceFields templates(JsonNode json, String at) {
    return new SourceFields(json, at, places, defects);
  }

  void defect(String key, String message) {
    defect(key, message, "");
  }

  /** Reports a defect of a field of a nested object. */
  void defectWithin(String object, String key, String message) {
    defects.accept(new FieldDefect(at(object) + "/" + escaped(key), message, ""));
  }

  /** Reports a defect at a pointer from this object. */
  void defectBelow(FieldDefect defect) {
    defects.accept(defect.within(pointer));
  }

  private Template template(String place, JsonNode value, Set<String> roots) {
    List<TemplateException> faults = Template.faults(value, roots);
    faults.forEach(
        e ->
            defects.accept(
                new FieldDefect(place + e.pointer(), String.valueOf(e.getMessage()), "")));
    try {
      byte[] unused = Json.data("the value", value);
    } catch (CodecException e) { // as for each message
      defects.accept(new FieldDefect(place + e.pointer(), String.valueOf(e.getMessage()), ""));
    }
    Template read =
        Template.of(faults.isEmpty() ? value : JsonNodeFactory.instance.nullNode(), roots);
    read.places()
        .forEach(
            (pointer, all) ->
                all.stream()
                    .flatMap(each -> places.fault(each).stream())
                    .forEach(why -> defects.accept(new FieldDefect(place + pointer, why, ""))));
    return read;
  }

  /** Returns the template of a text, which anything but a text, number or boolean is not. */
  private Template textTemplate(String place, JsonNode value, Set<String> roots) {
    if (value.isValueNode() && !value.isNull()) {
      Template read = template(place, value, roots);
      read.places().values().stream()
          .flatMap(List::stream)
          .filter(each -> MessagePlaces.isObject(each) && value.asText().equals("${" + each + "}"))
          .forEach(
              each ->
                  defects.accept(
                      new FieldDefect(
                          place, "must be a text, and %s is an object".formatted(each), "")));
      return read;
    }
    String found = value.isNull() ? "null" : shown(value);
    defects.accept(new FieldDefect(place, "must be a text, not " + found, ""));
    return Template.of(JsonNodeFactory.instance.nullNode(), roots);
  }

  /** Returns the template of a text; an empty one if it is absent or wrong. */
  Template textTemplate(String key, Set<String> roots) {
    return textTemplate(at(key), value(key).orElse(JsonNodeFactory.instance.textNode("")), roots);
  }

  /** Returns a template; that of {@code otherwise} if it is absent. */
  Template template(String key, String otherwise, Set<String> roots) {
    return template(
        at(key), value(key).orElse(JsonNodeFactory.instance.textNode(otherwise)), roots);
  }

  /** Returns the template of an object, which may be a place of one. */
  Template objectTemplate(String key, Set<String> roots) {
    Template read = template(key, "", roots);
    boolean isPlace = !read.isConstant();
    if (value(key).filter(it -> !it.isObject() && !(it.isTextual() && isPlace)).isPresent()) {
      defect(key, "must be an object, or a place of one as ${/body}");
    }
    return read;
  }

  List<Template> templates(String key, int most, Set<String> roots) {
    JsonNode found = value(key).orElse(JsonNodeFactory.instance.nullNode());
    List<Template> read = new ArrayList<>();
    if (!found.isArray() || found.isEmpty() || found.size() > most) {
      defect(key, "must be a list of 1 to %,d texts".formatted(most));
      return read;
    }
    for (int i = 0; i < found.size(); i++) {
      read.add(textTemplate(at(key) + "/" + i, found.get(i), roots));
    }
    return read;
  }

  Map<String, Template> map(String key, int most, Set<String> roots) {
    Map<String, Template> read = new LinkedHashMap<>();
    JsonNode found = value(key).orElse(JsonNodeFactory.instance.objectNode());
    if (!found.isObject() || found.size() > most) {
      defect(key, "must be an object of up to %,d texts".formatted(most));
      return read;
    }
    found
        .properties()
        .forEach(
            each ->
                read.put(
                    each.getKey(),
                    textTemplate(at(key) + "/" + escaped(each.getKey()), each.getValue(), roots)));
    return read;
  }
}
