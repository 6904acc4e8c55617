package io.callboard.workflows.definition;

import java.util.Locale;

/** Rule by which the outputs of a step's sources become its merged input. */
public enum MergeRule {
  /** Nothing is merged: each output stays under the id of its step. The default. */
  NAMESPACED,
  /** Objects are merged deeply; two values for one place fail the step, which names both. */
  DISJOINT,
  /** Objects are merged deeply; the source that is later in the topological order wins. */
  TOPO;

  /** Returns its word in a definition, in lower case. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
