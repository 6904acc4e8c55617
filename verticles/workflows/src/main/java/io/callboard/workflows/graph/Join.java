package io.callboard.workflows.graph;

/** Rule by which a step with several edges is ready. */
public enum Join {
  /** Each edge is satisfied. */
  ALL,
  /** One edge is satisfied. */
  ANY
}
