package io.callboard.jobs.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Execution of a job.
 *
 * @param runId 1, 2, 3… within the job, never reused; a run that was granted and given back before
 *     it began leaves a gap
 * @param state ADMITTED, RUNNING, SUCCEEDED, FAILED, CANCELLED or LOST
 * @param host name of the node that runs it
 * @param boot boot id of that node when the run was granted
 * @param exitCode exit code of the command; null until it has ended, or if it is lost
 * @param startedAt start by the host's clock; null before it
 * @param endedAt end; null before it
 * @param error reason of a failure, for people; null for none
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
