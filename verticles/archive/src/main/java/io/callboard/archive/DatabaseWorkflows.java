package io.callboard.archive;

import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Ended workflow instances in the tables of a database. */
final class DatabaseWorkflows implements WorkflowHistory {
  private final Database database;
  private final EndedTable<WorkflowRow> rows;

  DatabaseWorkflows(Database database) {
    this.database = database;
    this.rows =
        new EndedTable<>(database, WorkflowRow::id, WorkflowTable::write, WorkflowTable::delete);
  }

  @Override
  public Future<Map<String, String>> write(List<WorkflowRow> instances) {
    return rows.write(instances);
  }

  @Override
  public Future<Optional<String>> find(String id) {
    return RowBatch.uuid(id)
        .map(uuid -> database.transaction(connection -> WorkflowTable.find(connection, uuid)))
        .orElseGet(() -> Future.succeededFuture(Optional.empty()));
  }

  @Override
  public Future<List<String>> page(WorkflowRowQuery query) {
    return database.transaction(connection -> WorkflowPages.read(connection, query));
  }

  @Override
  public Future<Boolean> delete(String id) {
    return rows.delete(id);
  }

  @Override
  public Future<Integer> deleteEnded(String state, Instant before, int most) {
    return database.transaction(
        connection -> WorkflowTable.deleteEnded(connection, state, before, most));
  }

  @Override
  public Future<Void> sweepDeleted() {
    return database
        .transaction(connection -> DeletedRows.sweep(connection, "callboard_workflow"))
        .mapEmpty();
  }
}
