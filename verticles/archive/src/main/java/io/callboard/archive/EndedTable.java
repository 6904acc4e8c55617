package io.callboard.archive;

import io.callboard.archive.internal.ended.EndedRefusal;
import io.vertx.core.Future;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/**
 * Table of what has ended, in a database. A page of rows is written in one transaction; if the
 * database refuses that, each in a transaction of its own, so that one that is refused hinders no
 * other.
 *
 * <p>A row that is deleted while it is written is gone in the end: its deletion is recorded first,
 * and a writer looks for recorded ones last. One of the two sees what the other has committed.
 *
 * @param id returns the id of a row
 * @param table writes rows; part of a transaction
 * @param deletion deletes a row; part of a transaction
 */
record EndedTable<R>(Database database, Function<R, String> id, Write<R> table, Deletion deletion) {
  /** Writes rows. */
  @FunctionalInterface
  interface Write<R> {
    int write(Connection connection, List<R> rows) throws SQLException;
  }

  /** Deletes a row; returns whether there was one. */
  @FunctionalInterface
  interface Deletion {
    boolean delete(Connection connection, UUID id) throws SQLException;
  }

  /** Completes with the rows that the database refuses, each with the reason, by id. */
  Future<Map<String, String>> write(List<R> rows) {
    if (rows.isEmpty()) {
      return Future.succeededFuture(Map.of());
    }
    return durably(rows)
        .<Map<String, String>>map(written -> Map.of())
        .recover(cause -> Patience.isAway(cause) ? Future.failedFuture(cause) : oneByOne(rows))
        .compose(refused -> withoutDeleted(rows, refused));
  }

  private Future<Integer> durably(List<R> rows) {
    return database.durably(connection -> table.write(connection, rows));
  }

  private Future<Map<String, String>> oneByOne(List<R> rows) {
    Map<String, String> refused = new LinkedHashMap<>();
    Future<Void> done = Future.succeededFuture();
    for (R row : rows) {
      done =
          done.compose(
              before ->
                  durably(List.of(row))
                      .<Void>mapEmpty()
                      .recover(
                          cause -> {
                            if (Patience.isAway(cause)) {
                              return Future.failedFuture(cause);
                            }
                            refused.put(id.apply(row), String.valueOf(cause.getMessage()));
                            return Future.succeededFuture();
                          }));
    }
    return done.map(refused);
  }

  /** Deletes those of the written rows whose deletion was recorded before; they are refused. */
  private Future<Map<String, String>> withoutDeleted(List<R> rows, Map<String, String> refused) {
    List<UUID> ids =
        rows.stream().map(id).flatMap(each -> RowBatch.uuid(each).stream()).distinct().toList();
    if (ids.isEmpty()) {
      return Future.succeededFuture(refused);
    }
    return database
        .transaction(connection -> DeletedRows.of(connection, ids))
        .compose(deleted -> deleted.isEmpty() ? Future.succeededFuture(deleted) : clear(deleted))
        .map(
            deleted -> {
              Map<String, String> all = new LinkedHashMap<>(refused);
              for (R row : rows) {
                if (RowBatch.uuid(id.apply(row)).filter(deleted::contains).isPresent()) {
                  all.put(id.apply(row), EndedRefusal.DELETED);
                }
              }
              return all;
            });
  }

  private Future<Set<UUID>> clear(Set<UUID> deleted) {
    return database.durably(
        connection -> {
          for (UUID each : deleted) {
            boolean unused = deletion.delete(connection, each);
          }
          return deleted;
        });
  }

  /**
   * Deletes a row of any id, whether it is there or being written; completes with whether it was.
   */
  Future<Boolean> delete(String row) {
    return RowBatch.uuid(row)
        .map(
            uuid ->
                database
                    .durably(connection -> DeletedRows.add(connection, uuid))
                    .compose(
                        added -> database.durably(connection -> deletion.delete(connection, uuid))))
        .orElseGet(() -> Future.succeededFuture(false));
  }
}
