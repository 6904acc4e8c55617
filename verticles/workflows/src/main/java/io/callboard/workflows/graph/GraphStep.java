package io.callboard.workflows.graph;

import io.callboard.codecs.fields.Fields;
import java.util.List;

/**
 * Step as the graph sees it.
 *
 * @param id its id
 * @param after its edges, in the order of their declaration
 * @param join its rule for several edges
 * @param allowFailure whether its failure does not fail the instance
 * @param last whether it is in the section {@code finally}
 */
public record GraphStep(
    String id, List<StepEdge> after, Join join, boolean allowFailure, boolean last) {
  /** Copies the edges. */
  public GraphStep {
    after = List.copyOf(after);
  }

  /** Returns the JSON pointer of the step in the definition. */
  public String pointer() {
    return (last ? "/finally/" : "/steps/") + Fields.escaped(id);
  }

  /** Returns the JSON pointer of the step's edge from a step. */
  public String edgePointer(String source) {
    return pointer() + "/after/" + Fields.escaped(source);
  }
}
