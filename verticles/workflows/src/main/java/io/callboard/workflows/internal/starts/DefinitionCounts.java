package io.callboard.workflows.internal.starts;

import io.callboard.time.Machine;
import io.callboard.workflows.model.DefinitionStats;
import io.callboard.workflows.model.StepStats;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts of one definition by nodes.
 *
 * @param since since when
 * @param began instances that began
 * @param succeeded instances that succeeded
 * @param failed instances that failed
 * @param cancelled instances that were cancelled
 * @param recent instances that ended in the last {@link #RECENT_MINUTES}
 * @param durations durations of instances
 * @param steps what was counted of its steps, by id
 */
@Machine
public record DefinitionCounts(
    Instant since,
    long began,
    long succeeded,
    long failed,
    long cancelled,
    long recent,
    DurationCounts durations,
    Map<String, OfStep> steps) {
  /** Minutes over which the throughput is counted. */
  public static final int RECENT_MINUTES = 5;

  /** Copies the map. */
  public DefinitionCounts {
    steps = Map.copyOf(steps);
  }

  /**
   * Counts of one step.
   *
   * @param succeeded steps that succeeded
   * @param failed steps that failed
   * @param retries attempts that were followed by another one
   * @param lost runs that were lost
   * @param durations durations of steps
   */
  public record OfStep(
      long succeeded, long failed, long retries, long lost, DurationCounts durations) {
    OfStep plus(OfStep other) {
      return new OfStep(
          succeeded + other.succeeded,
          failed + other.failed,
          retries + other.retries,
          lost + other.lost,
          durations.plus(other.durations));
    }
  }

  /** Returns the counts of a node that has counted nothing. */
  public static DefinitionCounts none(Instant since) {
    return new DefinitionCounts(since, 0, 0, 0, 0, 0, DurationCounts.NONE, Map.of());
  }

  /** Returns the sum of the counts of two nodes. */
  public DefinitionCounts plus(DefinitionCounts other) {
    Map<String, OfStep> all = new TreeMap<>(steps);
    other.steps.forEach((id, step) -> all.merge(id, step, OfStep::plus));
    return new DefinitionCounts(
        since.isBefore(other.since) ? since : other.since,
        began + other.began,
        succeeded + other.succeeded,
        failed + other.failed,
        cancelled + other.cancelled,
        recent + other.recent,
        durations.plus(other.durations),
        all);
  }

  /**
   * Returns the counts as users see them.
   *
   * @param partial whether a node did not answer
   */
  public DefinitionStats stats(String definition, boolean partial) {
    Map<String, StepStats> views = new LinkedHashMap<>();
    new TreeMap<>(steps)
        .forEach(
            (id, step) ->
                views.put(
                    id,
                    new StepStats(
                        step.succeeded(),
                        step.failed(),
                        step.retries(),
                        step.lost(),
                        step.durations().summary())));
    return new DefinitionStats(
        definition,
        since,
        began,
        succeeded,
        failed,
        cancelled,
        (double) recent / RECENT_MINUTES,
        durations.summary(),
        views,
        partial);
  }
}
