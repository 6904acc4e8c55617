package io.callboard.dashboard.internal.search;

import io.callboard.dashboard.internal.attention.Subject;
import io.callboard.dashboard.internal.attention.Subject.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Thing that a search has found.
 *
 * @param subject what it is
 * @param label what else people know it by, such as a command; null for none
 * @param state its state; null if it has none
 * @param node name of the node that has it; null if it is the cell's, or this is not known
 * @param exact whether its id, path or name is what was searched for
 */
public record Hit(
    Subject subject,
    @Nullable String label,
    @Nullable String state,
    @Nullable String node,
    boolean exact) {
  private static final int MOST_LABEL = 200;

  /** Cuts a long label. */
  public Hit {
    if (label != null && label.codePointCount(0, label.length()) > MOST_LABEL) {
      label = label.substring(0, label.offsetByCodePoints(0, MOST_LABEL)) + "…";
    }
  }

  /** Returns a hit that is not on a single node. */
  static Hit of(
      Kind kind, String name, @Nullable String label, @Nullable String state, SearchTerm wanted) {
    return new Hit(new Subject(kind, name), label, state, null, wanted.is(name));
  }
}
