package io.callboard.dashboard.internal.bulk;

import io.callboard.dashboard.internal.bulk.BulkScope.Reached;
import io.callboard.workflows.Workflows;
import io.callboard.workflows.model.Instance;
import io.callboard.workflows.model.InstanceCount;
import io.callboard.workflows.model.InstanceRow;
import io.callboard.workflows.model.InstanceState;
import io.callboard.workflows.model.WorkflowQuery;
import io.vertx.core.Future;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Instances of workflows as a kind of items for bulk actions. Thread-safe. */
public final class WorkflowKind implements BulkKind<InstanceState, WorkflowAction> {
  private final Workflows workflows;

  /** Creates the kind of a node. */
  public WorkflowKind(Workflows workflows) {
    this.workflows = workflows;
  }

  @Override
  public String one() {
    return "workflow";
  }

  @Override
  public String many() {
    return "workflows";
  }

  @Override
  public List<String> fields() {
    return List.of("definition", "version", "state", "label", "q");
  }

  @Override
  public InstanceState state(String name) {
    return InstanceState.valueOf(name);
  }

  @Override
  public WorkflowAction action(String word) {
    return WorkflowAction.valueOf(word.toUpperCase(Locale.ROOT));
  }

  @Override
  public Future<BulkPage<InstanceState>> page(
      WorkflowAction action,
      BulkFilter filter,
      InstanceState state,
      int limit,
      @Nullable String cursor) {
    WorkflowQuery query =
        new WorkflowQuery(
            filter.field("definition"),
            filter.field("version"),
            state,
            filter.field("label"),
            null,
            filter.field("q"),
            true,
            limit,
            cursor);
    return workflows
        .list(query)
        .map(
            page ->
                new BulkPage<>(
                    page.items().stream()
                        .filter(row -> isFor(action, row))
                        .map(WorkflowKind::reached)
                        .toList(),
                    page.next(),
                    page.partial(),
                    page.missing()));
  }

  /**
   * Returns whether an action is for an instance: not for one of a step, which ends and is retried
   * with that.
   */
  private static boolean isFor(WorkflowAction action, InstanceRow row) {
    return action == WorkflowAction.DELETE || row.parent() == null;
  }

  private static Reached<InstanceState> reached(InstanceRow row) {
    return new Reached<>(row.id(), row.createdAt(), row.state());
  }

  /**
   * Returns the number of instances, without those that only the archive has, as nobody counts
   * them.
   */
  @Override
  public Future<Long> total() {
    return workflows.counts().map(counts -> counts.stream().mapToLong(InstanceCount::count).sum());
  }

  @Override
  public Future<InstanceState> stateOf(String id) {
    return workflows.instance(id).map(Instance::state);
  }

  @Override
  public Future<Void> act(WorkflowAction action, String id) {
    return switch (action) {
      case CANCEL -> workflows.cancel(id).mapEmpty();
      case RETRY -> workflows.retry(id).mapEmpty();
      case DELETE -> workflows.delete(id).mapEmpty();
    };
  }
}
