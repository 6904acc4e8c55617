package io.callboard.workflows;

import io.callboard.archive.WorkflowHistory;
import io.callboard.archive.WorkflowRow;
import io.callboard.archive.WorkflowRowQuery;
import io.callboard.store.StoreException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** A database that is away, or takes rows and answers nothing any more. */
final class FaultyInstanceHistory implements WorkflowHistory {
  private final WorkflowHistory history;
  final AtomicInteger writes = new AtomicInteger();
  volatile boolean away;
  volatile boolean mute;

  /** Id of an instance that it refuses; empty for none. */
  volatile String refused = "";

  /** Ids of instances that succeeded whose rows in lists cannot be read. */
  volatile Set<String> unreadable = Set.of();

  /** Something that happens between the reading of instances and the writing of their rows. */
  volatile Supplier<Future<?>> before = Future::succeededFuture;

  FaultyInstanceHistory(WorkflowHistory history) {
    this.history = history;
  }

  private <T> Future<T> unlessAway(Supplier<Future<T>> use) {
    return away
        ? Future.failedFuture(StoreException.unavailable("the database is away", null))
        : use.get();
  }

  @Override
  public Future<Map<String, String>> write(List<WorkflowRow> instances) {
    if (instances.isEmpty()) {
      return unlessAway(() -> history.write(instances)); // nothing happens in passes without any
    }
    return unlessAway(
        () ->
            before
                .get()
                .compose(v -> history.write(accepted(instances)))
                .compose(
                    written -> {
                      int unused = writes.addAndGet(instances.size());
                      return mute
                          ? Promise.<Map<String, String>>promise().future()
                          : Future.succeededFuture(all(written, instances));
                    }));
  }

  private List<WorkflowRow> accepted(List<WorkflowRow> instances) {
    return instances.stream().filter(each -> !each.id().equals(refused)).toList();
  }

  private Map<String, String> all(Map<String, String> written, List<WorkflowRow> instances) {
    Map<String, String> all = new HashMap<>(written);
    instances.stream()
        .filter(each -> each.id().equals(refused))
        .forEach(each -> all.put(each.id(), "no room"));
    return all;
  }

  @Override
  public Future<Optional<String>> find(String id) {
    return unlessAway(() -> history.find(id));
  }

  @Override
  public Future<List<String>> page(WorkflowRowQuery query) {
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
    return unlessAway(() -> history.delete(id));
  }

  @Override
  public Future<Integer> deleteEnded(String state, Instant before, int most) {
    return unlessAway(() -> history.deleteEnded(state, before, most));
  }

  @Override
  public Future<Void> sweepDeleted() {
    return unlessAway(history::sweepDeleted);
  }
}
