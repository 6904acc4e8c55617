package io.callboard.jobs.model;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.jobs.model.JobSpec.JobTimeouts;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Job as clients see it; also the shape of its JSON.
 *
 * @param id UUID of version 7
 * @param type name of its type
 * @param state current state
 * @param priority 0 to 9, higher first
 * @param command program and arguments, {@linkplain Masked without what looks like a secret}; the
 *     environment of a job is not shown at all; {@code Jobs.rerun} runs it again as it was
 *     submitted
 * @param createdAt time of the submission
 * @param startedAt start of the last run that has started; null if none has
 * @param endedAt time of the end; null before it
 * @param nextAttemptAt when it becomes due; null unless SCHEDULED, RETRY_WAIT, or HELD before its
 *     time
 * @param runs last runs, oldest first, at most 50
 * @param labels labels of the submitter
 * @param uniqueKey key that no other live job may have; null for none
 * @param error why it is DEAD, in words
 * @param version number that grows with each change
 * @param result result that its run wrote, JSON or text; null if there is none, and where many jobs
 *     are listed
 * @param checkpointAt time of the checkpoint with which its next run begins; null if there is none,
 *     and where many jobs are listed
 * @param failedKill kill of its open run that left processes; null for none
 * @param retry its own retry policy; null if that of its type applies, and where many jobs are
 *     listed
 * @param timeouts its time limits; null if it has none, and where many jobs are listed
 * @param onLost what happens when the host of a run dies: rerun, hold or fail; null where many jobs
 *     are listed
 * @param nice how much its processes give way to others, 0 to 19; null for 0, and where many jobs
 *     are listed
 * @param requires labels that its host must have; null for none, and where many jobs are listed
 * @param args arguments of its handler, {@linkplain Masked without what looks like a secret}; null
 *     for a process, and where many jobs are listed if their names and values have over 1,024
 *     characters
 * @param lacksResult why the result of the run that succeeded is not kept, a sentence; null if it
 *     is, or there is none, and where many jobs are listed
 */
public record Job(
    String id,
    String type,
    JobState state,
    int priority,
    List<String> command,
    Instant createdAt,
    @Nullable Instant startedAt,
    @Nullable Instant endedAt,
    @Nullable Instant nextAttemptAt,
    List<JobRun> runs,
    Map<String, String> labels,
    @Nullable String uniqueKey,
    @Nullable String error,
    long version,
    @Nullable JsonNode result,
    @Nullable Instant checkpointAt,
    @Nullable FailedKill failedKill,
    @Nullable RetryPolicy retry,
    @Nullable JobTimeouts timeouts,
    @Nullable String onLost,
    @Nullable Integer nice,
    @Nullable Map<String, String> requires,
    @Nullable JsonNode args,
    @Nullable String lacksResult) {
  /** Copies the collections, and masks the command, whoever wrote the job. */
  public Job {
    command = Masked.command(command);
    runs = List.copyOf(runs);
    labels = Map.copyOf(labels);
    requires = requires == null ? null : Map.copyOf(requires);
    args = args == null ? null : Masked.tree(args);
  }

  /** Creates a job as it is listed, without a failed kill of its run. */
  public Job(
      String id,
      String type,
      JobState state,
      int priority,
      List<String> command,
      Instant createdAt,
      @Nullable Instant startedAt,
      @Nullable Instant endedAt,
      @Nullable Instant nextAttemptAt,
      List<JobRun> runs,
      Map<String, String> labels,
      @Nullable String uniqueKey,
      @Nullable String error,
      long version) {
    this(
        id,
        type,
        state,
        priority,
        command,
        createdAt,
        startedAt,
        endedAt,
        nextAttemptAt,
        runs,
        labels,
        uniqueKey,
        error,
        version,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null);
  }

  /**
   * Returns the work of the job's runs, for lists and searches: its command, or its arguments as
   * JSON.
   */
  public String work() {
    return args == null ? String.join(" ", command) : args.toString();
  }

  /** Returns the job with its specification, except for the environment. */
  public Job submittedWith(JobSpec spec) {
    return new Job(
        id,
        type,
        state,
        priority,
        command,
        createdAt,
        startedAt,
        endedAt,
        nextAttemptAt,
        runs,
        labels,
        uniqueKey,
        error,
        version,
        result,
        checkpointAt,
        failedKill,
        Boolean.TRUE.equals(spec.typesRetry()) ? null : spec.retry(),
        spec.timeouts().equals(JobTimeouts.NONE) ? null : spec.timeouts(),
        spec.onLost(),
        spec.nice(),
        spec.requires(),
        spec.args(),
        lacksResult);
  }

  /** Returns the job with the contents of files. */
  public Job with(
      List<JobRun> fullRuns,
      @Nullable JsonNode itsResult,
      @Nullable String lacksItsResult,
      @Nullable Instant itsCheckpointAt) {
    return new Job(
        id,
        type,
        state,
        priority,
        command,
        createdAt,
        startedAt,
        endedAt,
        nextAttemptAt,
        fullRuns,
        labels,
        uniqueKey,
        error,
        version,
        itsResult,
        itsCheckpointAt,
        failedKill,
        retry,
        timeouts,
        onLost,
        nice,
        requires,
        args,
        lacksItsResult);
  }
}
