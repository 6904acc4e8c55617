package io.callboard.workflows.model;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.workflows.graph.StepState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Step of an instance, as users see it.
 *
 * @param state its state
 * @param attempts attempts that have begun, of which the last one may run
 * @param runs number of its last run: the runs in all, unless the instance was restored to an
 *     earlier event, after which numbers are left out; more than the attempts if runs were lost or
 *     the step was run again
 * @param startedAt start of its first attempt; null before
 * @param endedAt when it was settled; null before
 * @param dueAt when its next attempt begins; null unless it waits for that
 * @param reason why it was skipped, failed, or waits for its next attempt; null for none
 * @param output its output; null unless it succeeded, or if that is by reference
 * @param worker name of the worker that runs it or ran it last; null for none
 * @param child id of the job or instance that runs it or ran it last; null for none
 * @param compensation state of its compensation; null if that was not begun
 * @param outputBytes size of its output as JSON if that is by reference; null otherwise
 */
public record StepView(
    StepState state,
    int attempts,
    int runs,
    @Nullable Instant startedAt,
    @Nullable Instant endedAt,
    @Nullable Instant dueAt,
    @Nullable String reason,
    @Nullable JsonNode output,
    @Nullable String worker,
    @Nullable String child,
    @Nullable StepState compensation,
    @Nullable Integer outputBytes) {
  /** Step to which nothing has happened. */
  public static final StepView PENDING =
      new StepView(StepState.PENDING, 0, 0, null, null, null, null, null, null, null, null, null);

  /** Returns the step as running. */
  public StepView running(@Nullable String onWorker) {
    return new StepView(
        StepState.RUNNING,
        attempts,
        runs,
        startedAt,
        endedAt,
        dueAt,
        reason,
        output,
        onWorker,
        child,
        compensation,
        outputBytes);
  }
}
