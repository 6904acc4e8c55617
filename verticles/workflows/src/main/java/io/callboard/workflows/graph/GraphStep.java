package io.callboard.workflows.graph;

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

  /** Returns its JSON pointer in the definition. */
  public String pointer() {
    return (last ? "/finally/" : "/steps/") + escaped(id);
  }

  /** Returns the JSON pointer of its edge from a step. */
  public String edgePointer(String source) {
    return pointer() + "/after/" + escaped(source);
  }

  /** Returns a name as a part of a JSON pointer (RFC 6901). */
  public static String escaped(String name) {
    return name.replace("~", "~0").replace("/", "~1");
  }
}
