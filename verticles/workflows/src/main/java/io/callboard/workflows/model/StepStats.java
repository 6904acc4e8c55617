package io.callboard.workflows.model;

/**
 * Counts of the runs of one step of a definition.
 *
 * @param succeeded steps that succeeded
 * @param failed steps that failed for good
 * @param retries attempts that failed and were followed by another one
 * @param lost runs that were lost
 * @param durations from the begin of the first attempt to the end
 */
public record StepStats(
    long succeeded, long failed, long retries, long lost, DurationSummary durations) {}
