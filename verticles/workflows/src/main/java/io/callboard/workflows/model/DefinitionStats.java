package io.callboard.workflows.model;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Throughput, durations and failures of a definition, as the nodes have counted them in memory
 * since they started.
 *
 * @param definition name of the definition
 * @param since since when the node that counts longest has counted
 * @param began instances that began
 * @param succeeded instances that succeeded, also with warnings
 * @param failed instances that failed
 * @param cancelled instances that were cancelled
 * @param endedPerMinute instances that ended in a minute, over the last five minutes
 * @param durations of instances, from their creation or reopening to their end
 * @param steps its steps by id, sorted
 * @param partial whether a node did not answer
 */
public record DefinitionStats(
    String definition,
    Instant since,
    long began,
    long succeeded,
    long failed,
    long cancelled,
    double endedPerMinute,
    DurationSummary durations,
    Map<String, StepStats> steps,
    boolean partial) {
  /** Copies the steps and keeps their order. */
  public DefinitionStats {
    steps = Collections.unmodifiableMap(new LinkedHashMap<>(steps));
  }
}
