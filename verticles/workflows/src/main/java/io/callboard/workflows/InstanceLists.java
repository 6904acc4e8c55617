package io.callboard.workflows;

import io.callboard.workflows.internal.archiving.ArchivedInstances;
import io.callboard.workflows.internal.index.InstancePeers;
import io.callboard.workflows.internal.index.MergedRows;
import io.callboard.workflows.model.InstanceRow;
import io.callboard.workflows.model.WorkflowException;
import io.callboard.workflows.model.WorkflowException.Code;
import io.callboard.workflows.model.WorkflowPage;
import io.callboard.workflows.model.WorkflowQuery;
import io.vertx.core.Future;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Lists of instances: those of the indexes of all nodes and those of the database, merged by their
 * ids. The cell is read first: an instance that moves meanwhile is found twice rather than missed.
 */
final class InstanceLists {
  private static final Pattern CURSOR =
      Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  private final InstancePeers peers;
  private final ArchivedInstances archived;

  InstanceLists(InstancePeers peers, ArchivedInstances archived) {
    this.peers = peers;
    this.archived = archived;
  }

  /**
   * Rows of the database.
   *
   * @param rows the rows, in the order of the list
   * @param more whether others may follow the last of them
   * @param missing whether the database did not answer
   */
  private record Archived(List<InstanceRow> rows, boolean more, boolean missing) {}

  /** Returns a page, without the instances of nodes or of a database that do not answer. */
  Future<WorkflowPage> page(WorkflowQuery query) {
    String cursor = query.cursor();
    if (cursor != null && !CURSOR.matcher(cursor).matches()) {
      return Future.failedFuture(
          new WorkflowException(
              Code.INVALID,
              "/cursor",
              "\"%.100s\" is not a cursor of this list".formatted(cursor)));
    }
    int limit = Math.max(1, Math.min(query.limit(), Workflows.MOST_ITEMS));
    return peers
        .rows(query, limit + 1) // one more shows whether there is a next page
        .compose(
            live ->
                archived
                    .page(query, limit + 1)
                    .map(page -> new Archived(page.rows(), page.more(), false))
                    .otherwise(cause -> new Archived(List.of(), false, true))
                    .compose(
                        old ->
                            hidden(live, old)
                                .map(hidden -> page(query, limit, live, old, hidden))));
  }

  /**
   * Returns the ids of archived instances that are in the cell nevertheless: how they are there
   * counts, though they may not be of the list like that.
   */
  private Future<Set<String>> hidden(MergedRows live, Archived old) {
    Set<String> ids = new HashSet<>(old.rows().stream().map(InstanceRow::id).toList());
    live.rows().forEach(row -> ids.remove(row.id()));
    return peers.known(ids);
  }

  /**
   * Merges both. Behind the last one of a full page of the database others may follow, so what is
   * behind that has to wait for the next page.
   */
  private static WorkflowPage page(
      WorkflowQuery query, int limit, MergedRows live, Archived old, Set<String> hidden) {
    Comparator<String> order =
        query.ascending() ? Comparator.naturalOrder() : Comparator.reverseOrder();
    Set<InstanceRow> all = new TreeSet<>(Comparator.comparing(InstanceRow::id, order));
    all.addAll(live.rows());
    all.addAll(old.rows().stream().filter(row -> !hidden.contains(row.id())).toList());
    String horizon = old.more() ? old.rows().get(old.rows().size() - 1).id() : null;
    List<InstanceRow> known =
        all.stream()
            .filter(row -> horizon == null || order.compare(row.id(), horizon) <= 0)
            .collect(Collectors.toList());
    boolean more = known.size() > limit;
    List<InstanceRow> page = more ? known.subList(0, limit) : known;
    return new WorkflowPage(
        page, next(page, more, horizon), !live.complete() || old.missing(), live.missing());
  }

  private static @Nullable String next(
      List<InstanceRow> page, boolean more, @Nullable String horizon) {
    return more ? page.get(page.size() - 1).id() : horizon;
  }
}
