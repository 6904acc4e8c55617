package io.callboard.workflows.internal.protocol;

import io.callboard.workflows.graph.StepState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Compensation of a step.
 *
 * @param state RUNNING, RETRY_WAIT, SUCCEEDED, FAILED or, if its end was forced, CANCELLED
 * @param attempt number of its attempt
 * @param lost number of its runs that were lost
 * @param dueAt when the next attempt begins; null unless it waits for that
 * @param reason why it failed or was cancelled; null for none
 */
public record StepUndo(
    StepState state, int attempt, int lost, @Nullable Instant dueAt, @Nullable String reason) {}
