package io.callboard.workflows.model;

import io.callboard.workflows.merge.Merger;
import java.util.Map;
import java.util.Set;

/**
 * Options of a node's part in the workflow engine.
 *
 * @param slots steps that the workers of this node run at once; 0 for none
 * @param mergers mergers of the application, by name; the same on all nodes
 * @param httpHosts host names and addresses, in lower case, that {@code http} steps of this node
 *     call although they lead to this machine or its network segment alone; {@code *} for all
 */
public record WorkflowsOptions(int slots, Map<String, Merger> mergers, Set<String> httpHosts) {
  /** Slots of a node by default. */
  public static final int DEFAULT_SLOTS = 64;

  /** Default options. */
  public static final WorkflowsOptions DEFAULT = new WorkflowsOptions(DEFAULT_SLOTS);

  /** Checks the number of slots and copies the collections. */
  public WorkflowsOptions {
    if (slots < 0) {
      throw new IllegalArgumentException("slots must be 0 or more, not " + slots);
    }
    mergers = Map.copyOf(mergers);
    httpHosts = Set.copyOf(httpHosts);
  }

  /** Creates options without mergers. */
  public WorkflowsOptions(int slots) {
    this(slots, Map.of());
  }

  /** Creates options without hosts that are near. */
  public WorkflowsOptions(int slots, Map<String, Merger> mergers) {
    this(slots, mergers, Set.of());
  }
}
