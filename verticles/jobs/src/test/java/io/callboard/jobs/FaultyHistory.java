package io.callboard.jobs;

import io.callboard.archive.EndedRows;
import io.callboard.archive.JobHistory;
import io.callboard.archive.JobRow;
import io.callboard.archive.JobRowQuery;
import io.callboard.store.StoreException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** A database that is away, or takes rows and answers nothing any more. */
final class FaultyHistory implements JobHistory {
  private final JobHistory history;
  final AtomicInteger writes = new AtomicInteger();
  volatile boolean away;
  volatile boolean mute;

  /** Whether it deletes no job by its id. */
  volatile boolean keepsAll;

  /** Ids of jobs that succeeded whose rows in lists cannot be read. */
  volatile Set<String> unreadable = Set.of();

  /** Something that happens between the reading of records and the writing of their rows. */
  volatile Supplier<Future<?>> before = Future::succeededFuture;

  FaultyHistory(JobHistory history) {
    this.history = history;
  }

  private <T> Future<T> unlessAway(Supplier<Future<T>> use) {
    return away
        ? Future.failedFuture(StoreException.unavailable("the database is away", null))
        : use.get();
  }

  @Override
  public Future<Map<String, String>> write(List<JobRow> jobs) {
    if (jobs.isEmpty()) {
      return unlessAway(() -> history.write(jobs)); // nothing happens in passes without any
    }
    return unlessAway(
        () ->
            before
                .get()
                .compose(v -> history.write(jobs))
                .compose(
                    written -> {
                      int unused = writes.addAndGet(jobs.size());
                      return mute
                          ? Promise.<Map<String, String>>promise().future()
                          : Future.succeededFuture(written);
                    }));
  }

  @Override
  public Future<Optional<String>> find(String id) {
    return unlessAway(() -> history.find(id));
  }

  @Override
  public Future<List<String>> page(JobRowQuery query) {
    return unlessAway(() -> history.page(query))
        .map(views -> views.stream().map(this::damaged).toList());
  }

  private String damaged(String view) {
    return unreadable.stream().anyMatch(view::contains)
        ? view.replace("\"state\":\"SUCCEEDED\"", "\"state\":\"OF A NEWER NODE\"")
        : view;
  }

  @Override
  public Future<Boolean> delete(String id) {
    return keepsAll
        ? Future.failedFuture(StoreException.unavailable("the database is away", null))
        : unlessAway(() -> history.delete(id));
  }

  @Override
  public Future<Integer> deleteEnded(EndedRows rows, int most) {
    return unlessAway(() -> history.deleteEnded(rows, most));
  }

  @Override
  public Future<Void> sweepDeleted() {
    return unlessAway(history::sweepDeleted);
  }
}
