package io.callboard.jobs.internal.archiving;

import io.callboard.archive.JobHistory;
import io.callboard.archive.JobRowQuery;
import io.callboard.codecs.CodecException;
import io.callboard.jobs.internal.protocol.JobData;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobException;
import io.callboard.jobs.model.JobException.Code;
import io.callboard.jobs.model.JobQuery;
import io.callboard.time.Time;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ended jobs in the database, if there is one. Any thread. Futures fail with {@link JobException}
 * of code {@code UNAVAILABLE} if the database does not answer in time.
 */
public final class ArchivedJobs {
  private static final Duration ANSWER = Duration.ofSeconds(5);

  /** Time limit of a page of a list, which can do without the database. */
  private static final Duration PAGE = Duration.ofSeconds(2);

  /** Time for which lists do without the database after a page could not be read, by default. */
  public static final Duration PAUSE = Duration.ofSeconds(10);

  /** Maximum number of unreadable rows that are remembered, so that each is logged once. */
  private static final int MOST_REMEMBERED = 1_000;

  private static final Logger log = LoggerFactory.getLogger(ArchivedJobs.class);

  private final @Nullable JobHistory history;
  private final Time time;
  private final Duration pause;
  private final Set<String> unreadable = ConcurrentHashMap.newKeySet();
  private volatile @Nullable Long awayNs;

  /**
   * Creates the view of a database.
   *
   * @param history the database; null for none
   * @param pause time for which lists do without the database after a page could not be read
   */
  public ArchivedJobs(@Nullable JobHistory history, Time time, Duration pause) {
    this.history = history;
    this.time = time;
    this.pause = pause;
  }

  /** Returns whether ended jobs are written to a database. */
  public boolean isThere() {
    return history != null;
  }

  /** Returns the job; empty if the database has none of that id. */
  public Future<Optional<JobData>> find(String id) {
    return history == null
        ? Future.succeededFuture(Optional.empty())
        : answer(history.find(id)).map(body -> body.map(JobRows::job));
  }

  /** Deletes a job, if the database has it. */
  public Future<Void> delete(String id) {
    return history == null ? Future.succeededFuture() : answer(history.delete(id)).mapEmpty();
  }

  /**
   * Page of a list.
   *
   * @param jobs those that can be read, in the order of the list
   * @param more whether others may follow the last of them
   */
  public record Page(List<Job> jobs, boolean more) {
    /** Page without a job. */
    public static final Page EMPTY = new Page(List.of(), false);
  }

  /**
   * Returns a page of a list; a row that cannot be read hides no other.
   *
   * @param limit maximum number of rows; a full page may have more behind it
   * @return fails at once for some time after the database did not answer, or no row of a full page
   *     could be read
   */
  public Future<Page> page(JobQuery query, int limit) {
    if (history == null || (query.state() != null && !query.state().terminal())) {
      return Future.succeededFuture(Page.EMPTY);
    }
    Long away = awayNs;
    if (away != null && time.nanoTime() - away < pause.toNanos()) {
      return away();
    }
    return history
        .page(row(query, limit))
        .timeout(PAGE.toMillis(), TimeUnit.MILLISECONDS)
        .map(views -> page(views, limit))
        .onComplete(done -> awayNs = done.failed() ? Long.valueOf(time.nanoTime()) : null)
        .onFailure(
            cause ->
                log.warn(
                    "lists lack the archived jobs for {} s: {}",
                    pause.toSeconds(),
                    cause.toString()));
  }

  private Page page(List<String> views, int limit) {
    List<Job> jobs = new ArrayList<>();
    CodecException damage = null;
    for (String view : views) {
      try {
        jobs.add(JobRows.view(view));
      } catch (CodecException e) {
        damage = e;
        unreadable(JobRows.id(view), e);
      }
    }
    boolean full = views.size() >= limit;
    if (full && jobs.isEmpty() && damage != null) {
      throw damage; // nothing says where the next page begins
    }
    return new Page(jobs, full);
  }

  /** Logs a row that cannot be read, once: lists are read again and again. */
  private void unreadable(String id, CodecException cause) {
    if (unreadable.size() >= MOST_REMEMBERED) {
      unreadable.clear();
    }
    if (unreadable.add(id)) {
      log.error(
          "the archived job {} cannot be read and is missing from lists: {}",
          id,
          cause.getMessage());
    }
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

  private static <T> Future<T> answer(Future<T> asked) {
    return asked.timeout(ANSWER.toMillis(), TimeUnit.MILLISECONDS).recover(cause -> away());
  }

  private static <T> Future<T> away() {
    return Future.failedFuture(
        new JobException(
            Code.UNAVAILABLE,
            "the archive's database does not answer, and has the jobs that ended some time ago: try again later"));
  }
}
