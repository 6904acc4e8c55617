package io.callboard.jobs.internal.index;

import io.callboard.jobs.model.JobState;
import io.callboard.time.Machine;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Stream;

/**
 * End times before which jobs are removed, however few are kept.
 *
 * @param others the time for types and states without one of their own
 * @param successes times for successes of types, by the name of the type
 * @param failures times for other ends of types
 */
@Machine
public record EndCutoffs(
    Instant others, Map<String, Instant> successes, Map<String, Instant> failures) {
  /** Creates times that are the same for all types. */
  public EndCutoffs(Instant others) {
    this(others, Map.of(), Map.of());
  }

  /** Returns the time for jobs of a type that ended in a state. */
  public Instant of(String type, JobState state) {
    return (state == JobState.SUCCEEDED ? successes : failures).getOrDefault(type, others);
  }

  /** Returns the latest of the times. */
  Instant latest() {
    return Stream.of(successes.values(), failures.values())
        .flatMap(Collection::stream)
        .reduce(others, (one, other) -> one.isAfter(other) ? one : other);
  }
}
