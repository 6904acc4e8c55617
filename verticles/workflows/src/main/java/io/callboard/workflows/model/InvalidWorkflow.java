package io.callboard.workflows.model;

import io.callboard.workflows.graph.GraphDefect;
import java.util.List;
import java.util.stream.Collectors;

/** Refusal of a definition, with all its defects. */
public final class InvalidWorkflow extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<GraphDefect> defects;

  /** Creates the refusal of a definition with these defects. */
  public InvalidWorkflow(List<GraphDefect> defects) {
    super(defects.stream().map(GraphDefect::toString).collect(Collectors.joining("\n")));
    this.defects = List.copyOf(defects);
  }

  /** Returns all defects of the definition. */
  public List<GraphDefect> defects() {
    return defects == null ? List.of() : defects;
  }
}
