package io.callboard.workflows.definition;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.workflows.graph.Join;
import io.callboard.workflows.graph.StepEdge;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Step of a definition.
 *
 * @param run what it runs
 * @param with its parameters, an object
 * @param after its edges, in the order of declaration
 * @param join rule for several edges
 * @param when condition under which it runs; null for always
 * @param retry its retries
 * @param timeout longest time of one attempt; null for none but that of the instance
 * @param allowFailure whether its failure does not fail the instance
 * @param merge rule for the outputs of its sources
 * @param compensate what undoes it, if the instance fails or is cancelled; null for nothing
 */
public record StepDefinition(
    StepRun run,
    JsonNode with,
    List<StepEdge> after,
    Join join,
    @Nullable String when,
    StepRetry retry,
    @Nullable Duration timeout,
    boolean allowFailure,
    MergeRule merge,
    @Nullable StepRun compensate) {
  /** Copies the edges and the parameters, with their numbers in one form. */
  public StepDefinition {
    with = CanonicalNumbers.of(with);
    after = List.copyOf(after);
  }

  /** Returns a copy with parameters of its own. */
  StepDefinition copy() {
    return new StepDefinition(
        run, with, after, join, when, retry, timeout, allowFailure, merge, compensate);
  }

  /**
   * Returns the run of the step, or that of its compensation.
   *
   * @param undo whether what undoes it, if anything does
   */
  public StepRun run(boolean undo) {
    return undo && compensate != null ? compensate : run;
  }
}
