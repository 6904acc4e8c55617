package io.callboard.jobs.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One execution of a job.
 *
 * @param runId 1, 2, 3… per job, never reused; one that was granted and given back before it began
 *     leaves a gap
 * @param state ADMITTED, RUNNING, SUCCEEDED, FAILED, CANCELLED or LOST
 * @param host the node that runs it
 * @param boot that node's boot when the run was granted
 */
public record JobRun(
    int runId,
    String state,
    String host,
    String boot,
    @Nullable Integer exitCode,
    @Nullable Instant startedAt,
    @Nullable Instant endedAt,
    @Nullable String error) {}
