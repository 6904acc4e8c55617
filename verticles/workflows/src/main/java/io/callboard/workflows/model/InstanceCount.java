package io.callboard.workflows.model;

import io.callboard.time.Machine;

/**
 * Number of instances of one version of a definition in one state.
 *
 * @param definition name of the definition
 * @param version version of the definition
 * @param state the state
 * @param count number of instances
 */
@Machine
public record InstanceCount(String definition, String version, InstanceState state, long count) {
  /** Returns the same with another number. */
  public InstanceCount of(long number) {
    return new InstanceCount(definition, version, state, number);
  }
}
