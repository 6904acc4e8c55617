package io.callboard.workflows.model;

/**
 * Options of a node's part in the workflow engine.
 *
 * @param slots steps that the workers of this node run at once; 0 for none
 */
public record WorkflowsOptions(int slots) {
  /** Slots of a node by default. */
  public static final int DEFAULT_SLOTS = 64;

  /** Default options. */
  public static final WorkflowsOptions DEFAULT = new WorkflowsOptions(DEFAULT_SLOTS);
}
