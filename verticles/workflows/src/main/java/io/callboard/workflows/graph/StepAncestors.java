package io.callboard.workflows.graph;

import io.callboard.time.Machine;
import java.util.BitSet;

/**
 * Steps that are settled before others, over any path; before a finally step, all steps that are
 * not in its section. Takes a bit for each pair of steps.
 */
@Machine
public final class StepAncestors {
  private final StepGraph graph;
  private final BitSet[] before;

  /** Finds the ancestors of all steps of a graph. */
  public StepAncestors(StepGraph graph) {
    this.graph = graph;
    this.before = new BitSet[graph.size()];
    for (int step : graph.order()) {
      before[step] = new BitSet();
      for (int source : graph.sources(step)) {
        before[step].set(source);
        before[step].or(before[source]);
      }
    }
  }

  /** Returns whether {@code other} is settled when {@code step} is decided. */
  public boolean isBefore(int other, int step) {
    return before[step].get(other) || (graph.isLast(step) && !graph.isLast(other));
  }
}
