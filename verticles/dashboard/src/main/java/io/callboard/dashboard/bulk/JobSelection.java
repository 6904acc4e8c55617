package io.callboard.dashboard.bulk;

import io.callboard.dashboard.bulk.Extent.Reached;
import io.callboard.jobs.Jobs;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobException;
import io.callboard.jobs.model.JobException.Code;
import io.callboard.jobs.model.JobQuery;
import io.callboard.jobs.model.JobState;
import io.vertx.core.Future;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** Finds the jobs that an action on many would reach. Thread-safe. */
public final class JobSelection {
  /** Maximum number of jobs that one request reaches: the oldest. */
  public static final int MOST = 2_000;

  private static final int PAGE = 200;
  private static final int MOST_AT_ONCE = 4;
  private static final int MOST_NAMED = 10;

  private final Jobs jobs;
  private final Semaphore searches = new Semaphore(MOST_AT_ONCE);

  /** Creates the finder of a node. */
  public JobSelection(Jobs jobs) {
    this.jobs = jobs;
  }

  /** Jobs found so far, each once, the oldest first, with the nodes that did not answer. */
  private static final class Found {
    final TreeMap<String, Reached> jobs = new TreeMap<>();
    final TreeSet<String> missing = new TreeSet<>();
    boolean partial;

    @Nullable String incomplete() {
      if (!partial) {
        return null;
      }
      return missing.isEmpty()
          ? "the archive's database does not answer, or a node still reads its jobs"
          : "no answer from "
              + String.join(", ", missing.stream().limit(MOST_NAMED).toList())
              + (missing.size() > MOST_NAMED ? ", …" : "");
    }
  }

  /**
   * Completes with what that would reach; fails with {@code INVALID} if the action is impossible in
   * the state that is asked for, with {@code OVERLOADED} if several others are looking.
   *
   * @param limit maximum number of jobs, up to {@value #MOST}
   */
  public Future<Extent> find(JobAction action, JobFilter filter, int limit) {
    JobState state = filter.state();
    if (state != null && !action.possible().contains(state)) {
      return Future.failedFuture(
          new JobException(
              Code.INVALID,
              "/state",
              "a job that is %s cannot be asked to %s: one of %s"
                  .formatted(state, action.word(), JobAction.words(action.possible()))));
    }
    if (!searches.tryAcquire()) {
      return Future.failedFuture(
          new JobException(
              Code.OVERLOADED,
              "%d others are finding out what an action would reach: try again"
                  .formatted(MOST_AT_ONCE)));
    }
    List<JobState> states = action.meant(state);
    Found found = new Found();
    Future<Void> all = Future.succeededFuture();
    for (JobState each : states) {
      all = all.compose(done -> pages(filter, each, limit, null, 0, found));
    }
    return all.map(done -> extent(found, limit)).onComplete(done -> searches.release());
  }

  private Extent extent(Found found, int limit) {
    List<Reached> first = found.jobs.values().stream().limit(limit).toList();
    long total = jobs.counts().byState().values().stream().mapToLong(Long::longValue).sum();
    return Extent.of(first, found.jobs.size() > first.size(), total, found.incomplete());
  }

  private static boolean isMeant(Job job, JobFilter filter) {
    return filter.createdUntil() == null || !job.createdAt().isAfter(filter.createdUntil());
  }

  /** Reads those in one state until there are more than the limit. */
  private Future<Void> pages(
      JobFilter filter,
      JobState state,
      int limit,
      @Nullable String cursor,
      int before,
      Found found) {
    JobQuery query =
        new JobQuery(filter.type(), state, filter.label(), null, filter.text(), true, PAGE, cursor);
    return jobs.list(query)
        .compose(
            page -> {
              page.items().stream()
                  .filter(job -> isMeant(job, filter))
                  .forEach(job -> found.jobs.put(job.id(), Reached.of(job)));
              found.partial |= page.partial();
              found.missing.addAll(page.missing());
              int read = before + page.items().size();
              return page.next() == null || read > limit
                  ? Future.succeededFuture()
                  : pages(filter, state, limit, page.next(), read, found);
            });
  }
}
