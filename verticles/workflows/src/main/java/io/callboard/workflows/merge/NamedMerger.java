package io.callboard.workflows.merge;

/**
 * Merger with the name by which definitions call it, {@code merger:NAME}. A node that {@code
 * callboard --app} runs has those that the jars offer as services of this interface, as soon as it
 * has a workflow engine.
 */
public interface NamedMerger extends Merger {
  /** Returns the name. */
  String name();
}
