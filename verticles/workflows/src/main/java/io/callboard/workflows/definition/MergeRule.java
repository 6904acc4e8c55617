package io.callboard.workflows.definition;

import java.util.Locale;
import java.util.Optional;

/** Rule by which the outputs of a step's sources become its merged input. */
public enum MergeRule {
  /** Nothing is merged: each output stays under the id of its step. The default. */
  NAMESPACED,
  /** Objects are merged deeply; two values for one place fail the step, which names both. */
  DISJOINT,
  /** Objects are merged deeply; the source that is later in the topological order wins. */
  TOPO;

  /** Returns the rule of a word of a definition; empty if there is none. */
  public static Optional<MergeRule> of(String word) {
    for (MergeRule each : values()) {
      if (each.word().equals(word)) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }

  /** Returns its word in a definition, in lower case. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
