package io.callboard.archive;

import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Ended jobs in an archive that may not have been reached yet. */
final class ReachedJobHistory implements JobHistory {
  private final Supplier<@Nullable Archive> archive;

  ReachedJobHistory(Supplier<@Nullable Archive> archive) {
    this.archive = archive;
  }

  private <T> Future<T> with(Function<JobHistory, Future<T>> use) {
    Archive opened = archive.get();
    return opened == null
        ? Future.failedFuture(CellArchive.unreachable())
        : use.apply(opened.jobs());
  }

  @Override
  public Future<Map<String, String>> write(List<JobRow> jobs) {
    return with(history -> history.write(jobs));
  }

  @Override
  public Future<Optional<String>> find(String id) {
    return with(history -> history.find(id));
  }

  @Override
  public Future<List<String>> page(JobRowQuery query) {
    return with(history -> history.page(query));
  }

  @Override
  public Future<Boolean> delete(String id) {
    return with(history -> history.delete(id));
  }

  @Override
  public Future<Integer> deleteEnded(EndedRows rows, int most) {
    return with(history -> history.deleteEnded(rows, most));
  }

  @Override
  public Future<Void> sweepDeleted() {
    return with(JobHistory::sweepDeleted);
  }
}
