package io.callboard.archive;

import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Ended workflow instances in an archive that may not have been reached yet. */
final class ReachedWorkflowHistory implements WorkflowHistory {
  private final Supplier<@Nullable Archive> archive;

  ReachedWorkflowHistory(Supplier<@Nullable Archive> archive) {
    this.archive = archive;
  }

  private <T> Future<T> with(Function<WorkflowHistory, Future<T>> use) {
    Archive opened = archive.get();
    return opened == null
        ? Future.failedFuture(CellArchive.unreachable())
        : use.apply(opened.workflows());
  }

  @Override
  public Future<Map<String, String>> write(List<WorkflowRow> instances) {
    return with(history -> history.write(instances));
  }

  @Override
  public Future<Optional<String>> find(String id) {
    return with(history -> history.find(id));
  }

  @Override
  public Future<List<String>> page(WorkflowRowQuery query) {
    return with(history -> history.page(query));
  }

  @Override
  public Future<Boolean> delete(String id) {
    return with(history -> history.delete(id));
  }

  @Override
  public Future<Integer> deleteEnded(String state, Instant before, int most) {
    return with(history -> history.deleteEnded(state, before, most));
  }

  @Override
  public Future<Void> sweepDeleted() {
    return with(WorkflowHistory::sweepDeleted);
  }
}
