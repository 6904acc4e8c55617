package io.callboard.jobs.internal.transition;

import io.callboard.jobs.internal.protocol.JobData;
import io.callboard.jobs.model.JobRun;
import io.callboard.jobs.model.JobSpec;
import java.time.Instant;

/** Facts of a job, for the choice of a row. */
final class JobFactsOf {
  private JobFactsOf() {}

  /** Returns the facts for a submission. */
  static JobFacts submitted(JobSpec spec, Instant now) {
    boolean later = spec.runAt() != null && spec.runAt().isAfter(now);
    return new JobFacts(true, later, false, false, false, false, false, false, false, false, false);
  }

  /** Returns the facts for a message that ends no run. */
  static JobFacts about(JobData job, boolean current, Instant now) {
    return facts(job, current, false, false, false, now);
  }

  /** Returns the facts for the end of a run. */
  static JobFacts ended(
      JobData job, boolean current, boolean succeeded, boolean retries, Instant now) {
    return facts(job, current, succeeded, retries, false, now);
  }

  /** Returns the facts for the loss of a run. */
  static JobFacts lost(JobData job, boolean current, boolean suspected, Instant now) {
    return facts(job, current, false, false, suspected, now);
  }

  private static JobFacts facts(
      JobData job,
      boolean current,
      boolean succeeded,
      boolean retries,
      boolean suspected,
      Instant now) {
    JobRun run = job.lastRun();
    return new JobFacts(
        current,
        job.nextAttemptAt() != null && job.nextAttemptAt().isAfter(now),
        succeeded,
        retries,
        job.totalIsOver(now),
        job.losses() >= JobMachine.MOST_LOSSES || job.spec().onLost().equals("fail"),
        job.spec().onLost().equals("hold"),
        suspected,
        job.attempts() + job.losses() > 0,
        run != null && run.startedAt() != null,
        run != null && run.stalledSince() != null);
  }
}
