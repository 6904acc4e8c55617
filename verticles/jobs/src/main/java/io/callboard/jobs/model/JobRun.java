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
 * @param progress its last progress, for people; null if it reported none
 * @param progressAt when that was reported; null without one
 * @param logEnd end of its log, with the control sequences of a terminal; null if none is kept, and
 *     where many jobs are listed
 * @param forGood whether it failed such that another attempt must end the same; null for no
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
    @Nullable Instant stalledSince,
    @Nullable String progress,
    @Nullable Instant progressAt,
    @Nullable String logEnd,
    @Nullable Boolean forGood) {

  /** Creates a run without progress and without a kept end of its log. */
  public JobRun(
      int runId,
      String state,
      String host,
      String boot,
      @Nullable Integer exitCode,
      @Nullable Instant startedAt,
      @Nullable Instant endedAt,
      @Nullable String error,
      @Nullable Instant stalledSince) {
    this(
        runId,
        state,
        host,
        boot,
        exitCode,
        startedAt,
        endedAt,
        error,
        stalledSince,
        null,
        null,
        null,
        null);
  }

  /** Returns a run that was just granted, in its first state. */
  public static JobRun granted(int runId, RunState first, String host, String boot) {
    return new JobRun(runId, first.name(), host, boot, null, null, null, null, null);
  }

  /** Returns the run with its process started, in its next state. */
  public JobRun started(RunState next, Instant at) {
    return with(next.name(), exitCode, at, endedAt, error, stalledSince);
  }

  /**
   * Returns the run as stalled since its last progress.
   *
   * @param since time of that progress; null if the run makes progress again
   */
  public JobRun stalled(@Nullable Instant since) {
    return with(state, exitCode, startedAt, endedAt, error, since);
  }

  /** Returns the run with its end. */
  public JobRun ended(RunState outcome, @Nullable Integer code, @Nullable String why, Instant at) {
    return with(outcome.name(), code, startedAt, at, why, null);
  }

  /** Returns the run, which failed such that another attempt must end the same. */
  public JobRun failedForGood() {
    return new JobRun(
        runId,
        state,
        host,
        boot,
        exitCode,
        startedAt,
        endedAt,
        error,
        stalledSince,
        progress,
        progressAt,
        logEnd,
        true);
  }

  private JobRun with(
      String nextState,
      @Nullable Integer code,
      @Nullable Instant started,
      @Nullable Instant ended,
      @Nullable String why,
      @Nullable Instant stalled) {
    return new JobRun(
        runId,
        nextState,
        host,
        boot,
        code,
        started,
        ended,
        why,
        stalled,
        progress,
        progressAt,
        logEnd,
        forGood);
  }

  /** Returns the run with its last progress. */
  public JobRun progressed(String text, Instant at) {
    return new JobRun(
        runId,
        state,
        host,
        boot,
        exitCode,
        startedAt,
        endedAt,
        error,
        stalledSince,
        text,
        at,
        logEnd,
        forGood);
  }

  /** Returns the run with the end of its log; null for none. */
  public JobRun withLogEnd(@Nullable String end) {
    return new JobRun(
        runId,
        state,
        host,
        boot,
        exitCode,
        startedAt,
        endedAt,
        error,
        stalledSince,
        progress,
        progressAt,
        end,
        forGood);
  }
}
