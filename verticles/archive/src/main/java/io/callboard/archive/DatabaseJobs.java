package io.callboard.archive;

import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Ended jobs in the tables of a database. */
final class DatabaseJobs implements JobHistory {
  private final Database database;
  private final EndedTable<JobRow> rows;

  DatabaseJobs(Database database) {
    this.database = database;
    this.rows = new EndedTable<>(database, JobRow::id, JobTable::write, JobTable::delete);
  }

  @Override
  public Future<Map<String, String>> write(List<JobRow> jobs) {
    return rows.write(jobs);
  }

  @Override
  public Future<Optional<String>> find(String id) {
    return RowBatch.uuid(id)
        .map(uuid -> database.transaction(connection -> JobTable.find(connection, uuid)))
        .orElseGet(() -> Future.succeededFuture(Optional.empty()));
  }

  @Override
  public Future<List<String>> page(JobRowQuery query) {
    return database.transaction(connection -> JobPages.read(connection, query));
  }

  @Override
  public Future<Boolean> delete(String id) {
    return rows.delete(id);
  }

  @Override
  public Future<Integer> deleteEnded(EndedRows ended, int most) {
    return database.transaction(connection -> JobTable.deleteEnded(connection, ended, most));
  }

  @Override
  public Future<Void> sweepDeleted() {
    return database
        .transaction(connection -> DeletedRows.sweep(connection, "callboard_job"))
        .mapEmpty();
  }
}
