package io.callboard.dashboard.internal.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.callboard.codecs.fields.Fields;
import io.callboard.codecs.redaction.Sensitivity;
import io.callboard.jobs.model.Masked;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Masks secrets in JSON for people: values whose names say that they are secret, environments, what
 * looks like a secret in commands and other text, and what a message type declares sensitive. Pure.
 */
public final class MaskedJson {
  private static final String ENVIRONMENT = "env";
  private static final String COMMAND = "command";

  /** Field that says so of JSON beside it whose class is not known: only names were gone by. */
  private static final String BY_NAMES = "maskedByNames";

  private MaskedJson() {}

  /** Returns a copy without the secrets. */
  public static JsonNode of(JsonNode node) {
    return of(node, Sensitivity.NONE);
  }

  /** Returns a copy without the secrets, and without what its type declares sensitive. */
  public static JsonNode of(JsonNode node, Sensitivity sensitivity) {
    if (sensitivity.isAll()) {
      return node.isNull() ? node : TextNode.valueOf(Masked.VALUE);
    }
    if (node.isObject()) {
      ObjectNode copy = JsonNodeFactory.instance.objectNode();
      node.properties().forEach(field -> copy.set(field.getKey(), field(field, sensitivity)));
      return copy;
    }
    if (node.isArray()) {
      ArrayNode copy = JsonNodeFactory.instance.arrayNode();
      Sensitivity each = sensitivity.element();
      node.forEach(element -> copy.add(of(element, each)));
      return copy;
    }
    if (node.isNull()) {
      return node;
    }
    return sensitivity.isSecret()
        ? TextNode.valueOf(Masked.VALUE)
        : node.isTextual() ? TextNode.valueOf(Masked.text(node.textValue())) : node;
  }

  /**
   * Sets a field to a copy without the secrets, and notes if secrets could be found by names only.
   */
  public static void put(ObjectNode row, String field, JsonNode node, Sensitivity sensitivity) {
    row.set(field, of(node, sensitivity));
    if (sensitivity.isUnknown()) {
      row.put(BY_NAMES, true);
    }
  }

  private static JsonNode field(Map.Entry<String, JsonNode> field, Sensitivity of) {
    String name = field.getKey();
    JsonNode value = field.getValue();
    Sensitivity its = of.field(name);
    if (!its.isAll() && (name.equals(ENVIRONMENT) || Masked.isSecret(name))) {
      return values(value, its);
    }
    return !its.isAll() && !its.element().isSecret() && name.equals(COMMAND) && isTexts(value)
        ? command(value)
        : of(value, its);
  }

  /** Returns a copy without any of its values. */
  private static JsonNode values(JsonNode node, Sensitivity sensitivity) {
    if (node.isObject() && !sensitivity.isAll()) {
      ObjectNode copy = JsonNodeFactory.instance.objectNode();
      node.properties()
          .forEach(
              field -> {
                String name = field.getKey();
                copy.set(name, values(field.getValue(), sensitivity.field(name)));
              });
      return copy;
    }
    if (node.isArray() && !sensitivity.isAll()) {
      ArrayNode copy = JsonNodeFactory.instance.arrayNode();
      Sensitivity each = sensitivity.element();
      node.forEach(element -> copy.add(values(element, each)));
      return copy;
    }
    return node.isNull() ? node : TextNode.valueOf(Masked.VALUE);
  }

  private static boolean isTexts(JsonNode value) {
    boolean texts = value.isArray();
    for (JsonNode element : value) {
      texts &= element.isTextual();
    }
    return texts;
  }

  private static JsonNode command(JsonNode arguments) {
    List<String> texts = new ArrayList<>();
    arguments.forEach(argument -> texts.add(argument.textValue()));
    ArrayNode masked = JsonNodeFactory.instance.arrayNode();
    Masked.command(texts).forEach(masked::add);
    return masked;
  }

  /**
   * Returns an edited masked copy with the secrets of the original in the places that are still
   * masked. Of lists, one element may be changed, or any be removed or moved; else the changed ones
   * stay masked.
   *
   * @param sensitivity that with which the copy was masked
   */
  public static JsonNode restored(JsonNode edited, JsonNode original, Sensitivity sensitivity) {
    return restored(edited, of(original, sensitivity), original);
  }

  /** Returns the same for a copy that was masked by names alone. */
  public static JsonNode restored(JsonNode edited, JsonNode original) {
    return restored(edited, original, Sensitivity.NONE);
  }

  private static JsonNode restored(JsonNode edited, JsonNode shown, JsonNode original) {
    if (edited.equals(shown)) {
      return original;
    }
    if (edited.isObject()) {
      ObjectNode copy = JsonNodeFactory.instance.objectNode();
      edited
          .properties()
          .forEach(
              field -> {
                String name = field.getKey();
                copy.set(name, restored(field.getValue(), shown.path(name), original.path(name)));
              });
      return copy;
    }
    if (edited.isArray()) {
      return list(edited, shown, original);
    }
    return edited;
  }

  /** Restores each element of which it is certain which one of the original it was. */
  private static JsonNode list(JsonNode edited, JsonNode shown, JsonNode original) {
    Map<JsonNode, Set<JsonNode>> meant = new HashMap<>();
    int size = shown.isArray() ? shown.size() : 0;
    for (int k = 0; k < size; k++) {
      meant.computeIfAbsent(shown.get(k), seen -> new HashSet<>()).add(original.get(k));
    }
    boolean same = shown.isArray() && edited.size() == size;
    int changed = 0;
    for (int i = 0; same && i < size; i++) {
      changed += edited.get(i).equals(shown.get(i)) ? 0 : 1;
    }
    ArrayNode copy = JsonNodeFactory.instance.arrayNode();
    for (int i = 0; i < edited.size(); i++) {
      JsonNode its = edited.get(i);
      Set<JsonNode> ones = meant.getOrDefault(its, Set.of());
      boolean othersStayed = same && changed == (its.equals(shown.get(i)) ? 0 : 1);
      copy.add(
          ones.size() == 1
              ? ones.iterator().next()
              : othersStayed ? restored(its, shown.get(i), original.get(i)) : its);
    }
    return copy;
  }

  /** Returns the place of the first masked secret, as a JSON pointer. */
  public static Optional<String> place(JsonNode node) {
    return place(node, MissingNode.getInstance());
  }

  /** Returns the place of the first masked secret that is not in the original itself. */
  public static Optional<String> place(JsonNode node, JsonNode original) {
    if (node.equals(original)) {
      return Optional.empty();
    }
    if (node.isTextual()) {
      return node.textValue().contains(Masked.VALUE) ? Optional.of("") : Optional.empty();
    }
    if (node.isArray()) {
      for (int i = 0; i < node.size(); i++) {
        int index = i;
        Optional<String> place =
            place(node.get(i), original.path(i)).map(below -> "/" + index + below);
        if (place.isPresent()) {
          return place;
        }
      }
      return Optional.empty();
    }
    return node.properties().stream()
        .flatMap(
            field ->
                place(field.getValue(), original.path(field.getKey()))
                    .map(below -> "/" + Fields.escaped(field.getKey()) + below)
                    .stream())
        .findFirst();
  }
}
