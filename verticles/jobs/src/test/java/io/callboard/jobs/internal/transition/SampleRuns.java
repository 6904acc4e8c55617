package io.callboard.jobs.internal.transition;

import io.callboard.jobs.internal.protocol.JobData;
import io.callboard.jobs.model.JobRun;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs for tests, also in states that no node of this version gives them. */
public final class SampleRuns {
  private SampleRuns() {}

  /** Returns the job with one run in the state of that name, which has started. */
  public static JobData in(JobData job, String state, @Nullable Instant endedAt) {
    JobRun run = new JobRun(1, state, "h", "b", null, job.createdAt(), endedAt, null, null);
    return new JobData(
        job.id(),
        job.spec(),
        job.state(),
        job.createdAt(),
        job.endedAt(),
        job.nextAttemptAt(),
        job.attempts(),
        job.losses(),
        List.of(run),
        job.error(),
        job.events(),
        job.version(),
        job.typeRetry(),
        job.since(),
        job.overdue(),
        job.earlierHosts(),
        job.givenBack(),
        job.keyed(),
        job.files(),
        job.failedKill(),
        job.stateSince(),
        job.listener(),
        job.unreadableAt());
  }
}
