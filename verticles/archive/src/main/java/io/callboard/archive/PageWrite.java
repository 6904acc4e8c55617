package io.callboard.archive;

import io.vertx.core.Future;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Write of a page of rows in one transaction; if the database refuses that, of each in a
 * transaction of its own, so that one that is refused hinders no other.
 *
 * @param id returns the id of a row
 * @param table writes rows; part of a transaction
 */
record PageWrite<R>(Database database, Function<R, String> id, Write<R> table) {
  /** Writes rows. */
  @FunctionalInterface
  interface Write<R> {
    int write(Connection connection, List<R> rows) throws SQLException;
  }

  /** Completes with the rows that the database refuses, each with the reason, by id. */
  Future<Map<String, String>> write(List<R> rows) {
    if (rows.isEmpty()) {
      return Future.succeededFuture(Map.of());
    }
    return durably(rows)
        .<Map<String, String>>map(written -> Map.of())
        .recover(cause -> Patience.isAway(cause) ? Future.failedFuture(cause) : oneByOne(rows));
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
}
