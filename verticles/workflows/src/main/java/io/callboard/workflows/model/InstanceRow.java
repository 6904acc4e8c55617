package io.callboard.workflows.model;

import io.callboard.time.Machine;
import io.callboard.workflows.graph.StepState;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Instance as lists show it.
 *
 * @param id id of the instance
 * @param change number that grows with each change of the instance
 * @param definition name of its definition
 * @param version version of its definition
 * @param state its state
 * @param priority 0 to 9, higher first
 * @param labels labels for people and filters
 * @param parent id of the instance that it is a step of; null for none
 * @param createdAt time of its creation
 * @param endedAt time of its end; null before
 * @param steps number of its steps by their states, without states that no step is in
 */
@Machine
public record InstanceRow(
    String id,
    long change,
    String definition,
    String version,
    InstanceState state,
    int priority,
    Map<String, String> labels,
    @Nullable String parent,
    Instant createdAt,
    @Nullable Instant endedAt,
    Map<StepState, Integer> steps) {
  /** Copies the maps. */
  public InstanceRow {
    labels = Map.copyOf(labels);
    steps = Map.copyOf(steps);
  }
}
