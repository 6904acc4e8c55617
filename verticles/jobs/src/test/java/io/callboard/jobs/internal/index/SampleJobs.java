package io.callboard.jobs.internal.index;

import io.callboard.jobs.model.FailedKill;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobQuery;
import io.callboard.jobs.model.JobRun;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.ListedJob;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Jobs for tests of the index. */
final class SampleJobs {
  static final Instant NOW = Instant.parse("2026-11-25T09:00:00Z");

  private SampleJobs() {}

  /** Returns the id of a number, in its order. */
  static String id(int number) {
    return "01a20b82-%04x-7%03x-becb-509436418496".formatted(number >> 12, number & 0xfff);
  }

  static Job job(int number, JobState state, long version) {
    return job(number, "process", state, version, List.of("true"), Map.of());
  }

  static Job job(
      int number,
      String type,
      JobState state,
      long version,
      List<String> command,
      Map<String, String> labels) {
    return job(number, type, state, version, command, labels, List.of());
  }

  /** Returns a job with one run. */
  static Job ran(int number, JobState state, long version, boolean started, boolean ended) {
    JobRun run =
        new JobRun(
            1, "RUNNING", "h", "b", null, started ? NOW : null, ended ? NOW : null, null, null);
    return job(number, "process", state, version, List.of("true"), Map.of(), List.of(run));
  }

  /** Returns a job whose run has made no progress since then, and was killed in vain. */
  static Job troubled(
      int number, JobState state, long version, int seconds, @Nullable FailedKill kill) {
    JobRun run =
        new JobRun(1, "RUNNING", "h", "b", null, NOW, null, null, NOW.plusSeconds(seconds));
    Job job = job(number, "process", state, version, List.of("true"), Map.of(), List.of(run));
    return new Job(
        job.id(),
        job.type(),
        job.state(),
        job.priority(),
        job.command(),
        job.createdAt(),
        job.startedAt(),
        job.endedAt(),
        job.nextAttemptAt(),
        job.runs(),
        job.labels(),
        job.uniqueKey(),
        job.error(),
        job.version(),
        null,
        null,
        kill,
        null,
        null,
        null,
        null,
        null,
        null,
        null);
  }

  private static Job job(
      int number,
      String type,
      JobState state,
      long version,
      List<String> command,
      Map<String, String> labels,
      List<JobRun> runs) {
    return ListedJob.of(
        id(number),
        type,
        state,
        5,
        command,
        NOW.plusSeconds(number),
        NOW,
        state.terminal() ? NOW.plusSeconds(number) : null,
        null,
        runs,
        labels,
        null,
        null,
        version);
  }

  /** Returns the query for a first page. */
  static JobQuery all(boolean ascending, int limit) {
    return query(null, null, null, null, ascending, limit, null);
  }

  static JobQuery query(
      @Nullable String type,
      @Nullable JobState state,
      @Nullable String label,
      @Nullable String text,
      boolean ascending,
      int limit,
      @Nullable String cursor) {
    return new JobQuery(type, state, label, null, text, ascending, limit, cursor);
  }
}
