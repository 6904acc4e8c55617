package io.callboard.codecs.fields;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Mistake in a configured object.
 *
 * @param pointer JSON pointer of what is wrong
 * @param problem what is wrong, as it follows the pointer and a colon: {@code is missing}
 * @param hint what would be right; empty if the problem says it
 */
public record FieldDefect(String pointer, String problem, String hint) {
  /** Returns the name of the field that is wrong; {@code it} for the whole. */
  public String field() {
    return pointer.isEmpty() ? "it" : Fields.unescaped(pointer.replaceFirst("(?s).*/", ""));
  }

  /** Returns mistakes in one line. */
  public static String line(List<FieldDefect> defects) {
    return defects.stream().map(FieldDefect::toString).collect(Collectors.joining("; "));
  }

  /** Returns the mistake with its pointer from an object around it. */
  public FieldDefect within(String outer) {
    return new FieldDefect(outer + pointer, problem, hint);
  }

  /** Returns the problem and the hint. */
  public String reason() {
    return problem + (hint.isEmpty() ? "" : "; " + hint);
  }

  @Override
  public String toString() {
    return pointer.isEmpty() ? "it " + reason() : "%s: %s".formatted(pointer, reason());
  }
}
