package io.callboard.archive;

import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Ended jobs in the tables of a database. */
final class DatabaseJobs implements JobHistory {
  private final Database database;

  DatabaseJobs(Database database) {
    this.database = database;
  }

  @Override
  public Future<Map<String, String>> write(List<JobRow> jobs) {
    if (jobs.isEmpty()) {
      return Future.succeededFuture(Map.of());
    }
    return database
        .durably(connection -> JobTable.write(connection, jobs))
        .<Map<String, String>>map(written -> Map.of())
        .recover(cause -> Patience.isAway(cause) ? Future.failedFuture(cause) : oneByOne(jobs));
  }

  /** Writes each job in a transaction of its own, so that one that is refused hinders no other. */
  private Future<Map<String, String>> oneByOne(List<JobRow> jobs) {
    Map<String, String> refused = new LinkedHashMap<>();
    Future<Void> done = Future.succeededFuture();
    for (JobRow job : jobs) {
      done =
          done.compose(
              before ->
                  database
                      .durably(connection -> JobTable.write(connection, List.of(job)))
                      .<Void>mapEmpty()
                      .recover(
                          cause -> {
                            if (Patience.isAway(cause)) {
                              return Future.failedFuture(cause);
                            }
                            refused.put(job.id(), String.valueOf(cause.getMessage()));
                            return Future.succeededFuture();
                          }));
    }
    return done.map(refused);
  }

  @Override
  public Future<Optional<String>> find(String id) {
    return uuid(id)
        .map(uuid -> database.transaction(connection -> JobTable.find(connection, uuid)))
        .orElseGet(() -> Future.succeededFuture(Optional.empty()));
  }

  @Override
  public Future<List<String>> page(JobRowQuery query) {
    return database.transaction(connection -> JobPages.read(connection, query));
  }

  @Override
  public Future<Boolean> delete(String id) {
    return uuid(id)
        .map(uuid -> database.durably(connection -> JobTable.delete(connection, uuid)))
        .orElseGet(() -> Future.succeededFuture(false));
  }

  @Override
  public Future<Integer> deleteEnded(EndedRows rows, int most) {
    return database.transaction(connection -> JobTable.deleteEnded(connection, rows, most));
  }

  private static Optional<UUID> uuid(String id) {
    try {
      return Optional.of(UUID.fromString(id));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
