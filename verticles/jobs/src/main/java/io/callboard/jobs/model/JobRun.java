package io.callboard.jobs.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Execution of a job.
 *
 * @param runId 1, 2, 3… within the job, never reused; a run that was granted and given back before
 *     it began leaves a gap
 * @param state name of its {@link RunState}
 * @param host name of the node that runs it
 * @param boot boot id of that node when the run was granted
 * @param exitCode exit code of the command; null until it has ended, or if it is lost
 * @param startedAt start by the host's clock; null before it
 * @param endedAt end; null before it
 * @param error reason of a failure, for people; null for none
 * @param stalledSince last progress by the host's clock, while it makes none within its progress
 *     timeout; null otherwise
 */
public record JobRun(
    int runId,
    String state,
    String host,
    String boot,
    @Nullable Integer exitCode,
    @Nullable Instant startedAt,
    @Nullable Instant endedAt,
    @Nullable String error,
    @Nullable Instant stalledSince) {

  /** Returns a run that was just granted. */
  public static JobRun granted(int runId, String host, String boot) {
    return new JobRun(runId, RunState.ADMITTED.name(), host, boot, null, null, null, null, null);
  }

  /** Returns the run with its process started. */
  public JobRun started(Instant at) {
    return new JobRun(
        runId, RunState.RUNNING.name(), host, boot, null, at, null, null, stalledSince);
  }

  /** Returns the run after the last progress before a stall; null if it makes progress again. */
  public JobRun stalled(@Nullable Instant since) {
    return new JobRun(runId, state, host, boot, exitCode, startedAt, endedAt, error, since);
  }

  /** Returns the run with its end. */
  public JobRun ended(RunState outcome, @Nullable Integer code, @Nullable String why, Instant at) {
    return new JobRun(runId, outcome.name(), host, boot, code, startedAt, at, why, null);
  }
}
