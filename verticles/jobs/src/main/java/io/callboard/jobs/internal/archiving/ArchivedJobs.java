package io.callboard.jobs.internal.archiving;

import io.callboard.archive.JobHistory;
import io.callboard.archive.JobRowQuery;
import io.callboard.archive.internal.ended.EndedPage;
import io.callboard.archive.internal.ended.EndedReader;
import io.callboard.jobs.internal.protocol.JobData;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobException;
import io.callboard.jobs.model.JobException.Code;
import io.callboard.jobs.model.JobQuery;
import io.callboard.time.Time;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Ended jobs in the database, if there is one. Any thread. Futures fail with {@link JobException}
 * of code {@code UNAVAILABLE} if the database does not answer in time.
 */
public final class ArchivedJobs {
  private final @Nullable JobHistory history;
  private final EndedReader<Job> reader;

  /**
   * Creates the view of a database.
   *
   * @param history the database; null for none
   * @param pause time for which lists do without the database after a page could not be read
   */
  public ArchivedJobs(@Nullable JobHistory history, Time time, Duration pause) {
    this.history = history;
    this.reader = new EndedReader<>("job", Job.class, time, pause, ArchivedJobs::away);
  }

  /** Returns whether ended jobs are written to a database. */
  public boolean isThere() {
    return history != null;
  }

  /** Returns the job; empty if the database has none of that id. */
  public Future<Optional<JobData>> find(String id) {
    return history == null
        ? Future.succeededFuture(Optional.empty())
        : reader.answer(history.find(id)).map(body -> body.map(JobRows::job));
  }

  /** Deletes a job, if the database has it. */
  public Future<Void> delete(String id) {
    return history == null
        ? Future.succeededFuture()
        : reader.answer(history.delete(id)).mapEmpty();
  }

  /** Returns a page of a list, as {@link EndedReader#page} does. */
  public Future<EndedPage<Job>> page(JobQuery query, int limit) {
    return history == null || (query.state() != null && !query.state().terminal())
        ? Future.succeededFuture(EndedPage.empty(false))
        : reader.page(() -> history.page(row(query, limit)), limit);
  }

  private static JobRowQuery row(JobQuery query, int limit) {
    String label = query.label();
    int equals = label == null ? -1 : label.indexOf('=');
    return new JobRowQuery(
        query.type(),
        query.state() == null ? null : query.state().name(),
        label == null || equals < 0 ? label : label.substring(0, equals),
        label == null || equals < 0 ? null : label.substring(equals + 1),
        query.createdAfter(),
        query.text(),
        query.ascending(),
        limit,
        query.cursor(),
        query.endedAfter());
  }

  private static JobException away() {
    return new JobException(
        Code.UNAVAILABLE,
        "the archive's database does not answer, and has the jobs that ended some time ago: try again later");
  }
}
