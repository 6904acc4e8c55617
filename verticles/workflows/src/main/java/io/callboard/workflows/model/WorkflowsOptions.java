package io.callboard.workflows.model;

import io.callboard.workflows.merge.Merger;
import java.util.Map;

/**
 * Options of a node's part in the workflow engine.
 *
 * @param slots steps that the workers of this node run at once; 0 for none
 * @param mergers mergers of the application, by name; the same on all nodes
 */
public record WorkflowsOptions(int slots, Map<String, Merger> mergers) {
  /** Slots of a node by default. */
  public static final int DEFAULT_SLOTS = 64;

  /** Default options. */
  public static final WorkflowsOptions DEFAULT = new WorkflowsOptions(DEFAULT_SLOTS);

  /** Checks the number of slots and copies the map. */
  public WorkflowsOptions {
    if (slots < 0) {
      throw new IllegalArgumentException("slots must be 0 or more, not " + slots);
    }
    mergers = Map.copyOf(mergers);
  }

  /** Creates options without mergers. */
  public WorkflowsOptions(int slots) {
    this(slots, Map.of());
  }
}
