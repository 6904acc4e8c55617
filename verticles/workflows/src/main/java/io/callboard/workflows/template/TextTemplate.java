package io.callboard.workflows.template;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.time.Machine;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Text with places. Immutable. */
@Machine
final class TextTemplate {
  private static final int MOST_SHOWN = 100;
  private static final String OPEN = "${";

  private final List<Part> parts;

  /**
   * Part of a text.
   *
   * @param pointer where its value is; null for a plain text
   */
  private record Part(String text, @Nullable JsonPointer pointer) {}

  private TextTemplate(List<Part> parts) {
    this.parts = List.copyOf(parts);
  }

  static TextTemplate of(String at, String text, Set<String> roots) {
    List<Part> parts = new ArrayList<>();
    StringBuilder plain = new StringBuilder();
    int next = 0;
    while (next < text.length()) {
      if (text.startsWith("$" + OPEN, next)) {
        plain.append(OPEN);
        next += OPEN.length() + 1;
      } else if (text.startsWith(OPEN, next)) {
        int end = text.indexOf('}', next);
        if (end < 0) {
          throw new TemplateException(
              at, "\"%s\" has a ${ without its }; write $${ for a plain one".formatted(text));
        }
        if (!plain.isEmpty()) {
          parts.add(new Part(plain.toString(), null));
          plain.setLength(0);
        }
        String inside = text.substring(next + OPEN.length(), end);
        parts.add(new Part(inside, pointer(at, inside, roots)));
        next = end + 1;
      } else {
        plain.append(text.charAt(next++));
      }
    }
    if (!plain.isEmpty()) {
      parts.add(new Part(plain.toString(), null));
    }
    return new TextTemplate(parts);
  }

  private static JsonPointer pointer(String at, String inside, Set<String> roots) {
    JsonPointer pointer;
    try {
      pointer = JsonPointer.compile(inside);
    } catch (IllegalArgumentException e) {
      throw new TemplateException(
          at,
          "\"${%s}\" is no place: give a JSON pointer, which begins with /, or $${ for a plain ${"
              .formatted(inside));
    }
    String root = pointer.getMatchingProperty();
    if (root == null || !roots.contains(root)) {
      throw new TemplateException(
          at, "\"${%s}\" begins with none of /%s".formatted(inside, roots(roots)));
    }
    return pointer;
  }

  private static String roots(Set<String> roots) {
    return String.join(", /", new TreeSet<>(roots));
  }

  /** Returns the pointers of the places. */
  List<JsonPointer> places() {
    return parts.stream().map(Part::pointer).filter(Objects::nonNull).toList();
  }

  /** Returns whether the text has no places and stands for {@code text} itself. */
  boolean isPlain(String text) {
    return text.isEmpty()
        || (parts.size() == 1
            && parts.get(0).pointer() == null
            && parts.get(0).text().equals(text));
  }

  JsonNode fill(String at, JsonNode data) {
    if (parts.size() == 1 && parts.get(0).pointer() != null) {
      return value(at, parts.get(0), data);
    }
    StringBuilder filled = new StringBuilder();
    for (Part part : parts) {
      filled.append(part.pointer() == null ? part.text() : text(value(at, part, data)));
    }
    return JsonNodeFactory.instance.textNode(filled.toString());
  }

  private static String text(JsonNode value) {
    return value.isContainerNode() ? value.toString() : value.asText();
  }

  private static JsonNode value(String at, Part part, JsonNode data) {
    JsonNode found = data.at(part.pointer());
    if (found.isMissingNode()) {
      throw new TemplateException(
          at,
          "there is nothing at %s%s"
              .formatted(part.text(), at.isEmpty() ? "" : ", which " + at + " needs"));
    }
    return found;
  }

  static String shortened(JsonNode value) {
    String text = value.toString();
    return text.length() <= MOST_SHOWN ? text : text.substring(0, MOST_SHOWN) + "…";
  }
}
