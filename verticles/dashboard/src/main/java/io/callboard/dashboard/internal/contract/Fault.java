package io.callboard.dashboard.internal.contract;

import io.callboard.codecs.fields.Fields;
import org.jspecify.annotations.Nullable;

/**
 * Fault of a request.
 *
 * @param pointer JSON pointer into the body; for a query parameter, a header or a part of the path
 *     its name after a slash; empty for the whole
 * @param detail description of the fault and of a correct value
 * @param code code of its kind, for programs; null if it has none
 */
public record Fault(String pointer, String detail, @Nullable String code) {
  /** Creates a fault without a code. */
  public Fault(String pointer, String detail) {
    this(pointer, detail, null);
  }

  /**
   * Returns the fault for people: {@code limit: must be at least 1, not 0}; an element as {@code
   * command[0]}.
   */
  public String sentence() {
    return pointer.isEmpty() ? detail : field() + ": " + detail;
  }

  private String field() {
    StringBuilder field = new StringBuilder();
    for (String step : pointer.substring(pointer.startsWith("/") ? 1 : 0).split("/", -1)) {
      String name = Fields.unescaped(step);
      boolean element = field.length() > 0 && name.matches("\\d+");
      field.append(element ? "[" + name + "]" : (field.length() > 0 ? "." : "") + name);
    }
    return field.toString();
  }
}
