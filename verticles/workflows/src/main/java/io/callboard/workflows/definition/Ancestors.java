package io.callboard.workflows.definition;

import io.callboard.workflows.graph.GraphStep;
import io.callboard.workflows.graph.StepEdge;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Steps that are before a step, over any path. */
final class Ancestors {
  private Ancestors() {}

  /** Returns the ids of the steps before {@code step}; for a finally step, all other steps too. */
  static Set<String> of(GraphStep step, Map<String, GraphStep> byId) {
    Set<String> found = new HashSet<>();
    Deque<GraphStep> open = new ArrayDeque<>();
    open.add(step);
    while (!open.isEmpty()) {
      for (StepEdge edge : open.remove().after()) {
        GraphStep source = byId.get(edge.from());
        if (source != null && found.add(source.id())) {
          open.add(source);
        }
      }
    }
    if (step.last()) {
      byId.values().stream().filter(each -> !each.last()).forEach(each -> found.add(each.id()));
    }
    return found;
  }
}
