package io.callboard.jobs;

import io.callboard.jobs.internal.archiving.ArchivedJobs;
import io.callboard.jobs.internal.index.CellIndex;
import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.internal.protocol.JobData;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobException.Code;
import io.callboard.jobs.model.JobState;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Instant;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Operators' actions on one job, which has a record or only a row in the database. */
final class JobActions {
  private static final Logger log = LoggerFactory.getLogger(JobActions.class);

  private final JobClient jobs;
  private final ArchivedJobs archived;
  private final CellIndex index;
  private final Clock clock;

  JobActions(JobClient jobs, ArchivedJobs archived, CellIndex index, Clock clock) {
    this.jobs = jobs;
    this.archived = archived;
    this.index = index;
    this.clock = clock;
  }

  /** Returns a job that has a record, or else a row. */
  Future<JobData> known(String id) {
    return orArchived(id, jobs.stored(id), Future::succeededFuture);
  }

  /**
   * Does something with a job that has no record; not with one that was deleted, whose row may
   * still be there if its node died meanwhile, or if the database was away.
   *
   * @param asked fails with {@code NOT_FOUND} if the job has no record
   */
  private <T> Future<T> orArchived(String id, Future<T> asked, Function<JobData, Future<T>> ofRow) {
    return asked.recover(
        cause ->
            JobFailures.isNotFound(cause)
                ? jobs.isDeleted(id)
                    .compose(deleted -> deleted ? Future.failedFuture(cause) : archived.find(id))
                    .compose(
                        row -> row.isEmpty() ? Future.failedFuture(cause) : ofRow.apply(row.get()))
                : Future.failedFuture(cause));
  }

  /** Cancels the job. */
  Future<Job> cancel(String id) {
    return orArchived(
        id,
        jobs.askStored(id, new JobCommand.Cancel(now())),
        row ->
            row.state() == JobState.CANCELLED
                ? Future.succeededFuture(row.view())
                : hasEnded(row, "cancelled"));
  }

  /** Queues the job once more; one without a record gets it back. */
  Future<Job> rerun(String id) {
    return orArchived(
        id,
        jobs.stored(id).compose(job -> again(job, new JobCommand.Rerun(now()))),
        row -> again(row, new JobCommand.Restore(row, now())));
  }

  private Future<Job> again(JobData job, JobCommand command) {
    return KeyOwner.STEPS.owns(job.spec().uniqueKey())
        ? JobFailures.fail(
            Code.ILLEGAL_STATE,
            "job %s is an attempt of a step of a workflow and cannot be run again by itself: retry its instance, or rerun that from the step"
                .formatted(job.id()))
        : jobs.ask(job.id(), command);
  }

  private static Future<Job> hasEnded(JobData job, String participle) {
    return JobFailures.fail(
        Code.ILLEGAL_STATE,
        "job %s is %s and cannot be %s".formatted(job.id(), job.state(), participle));
  }

  /** Keeps the job from running. */
  Future<Job> hold(String id) {
    return orArchived(
        id, jobs.askStored(id, new JobCommand.Hold(now())), row -> hasEnded(row, "held"));
  }

  /** Releases the job. */
  Future<Job> release(String id) {
    return orArchived(
        id, jobs.askStored(id, new JobCommand.Release(now())), row -> hasEnded(row, "released"));
  }

  /**
   * Deletes the job: its tombstone is durable when the future succeeds, and hides its row until the
   * archiver has deleted that. So a database that does not answer delays only the latter.
   */
  Future<Job> delete(String id) {
    if (index.tally().deleted() >= Jobs.MOST_TOMBSTONES) {
      return JobFailures.fail(
          Code.OVERLOADED,
          "records of %d deleted jobs are kept already, which is the limit: they are kept for a day and until their hosts have deleted the files of their runs"
              .formatted(Jobs.MOST_TOMBSTONES));
    }
    return orArchived(
            id,
            jobs.stored(id)
                .compose(job -> jobs.answer(id, new JobCommand.Delete(now(), archived.isThere()))),
            row -> jobs.answer(id, new JobCommand.DeleteArchived(row, now())))
        .map(JobData::view)
        .onSuccess(job -> index.here().deleted(id))
        .compose(job -> archived.delete(id).otherwise(cause -> left(id, cause)).map(job));
  }

  private static @Nullable Void left(String id, Throwable cause) {
    log.info(
        "job {} is deleted; its row in the archive's database is deleted when that answers: {}",
        id,
        cause.toString());
    return null;
  }

  private Instant now() {
    return clock.instant();
  }
}
