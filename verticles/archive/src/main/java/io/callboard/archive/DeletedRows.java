package io.callboard.archive;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Table of the rows that users deleted within a day: a node that writes one of them late, since it
 * was slow or has lost its role, removes it again. Each method is part of a transaction.
 */
final class DeletedRows {
  private DeletedRows() {}

  /** Adds a row; to be committed before it is deleted. */
  static boolean add(Connection connection, UUID id) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "insert into callboard_deleted (id, deleted_at) values (?, current_timestamp)")) {
      statement.setObject(1, id);
      return statement.executeUpdate() > 0;
    }
  }

  /** Returns those of the rows that were deleted. */
  static Set<UUID> of(Connection connection, List<UUID> ids) throws SQLException {
    String select =
        "select id from callboard_deleted where id in (%s)"
            .formatted(String.join(", ", ids.stream().map(id -> "?").toList()));
    Set<UUID> deleted = new HashSet<>();
    try (PreparedStatement statement = connection.prepareStatement(select)) {
      for (int i = 0; i < ids.size(); i++) {
        statement.setObject(i + 1, ids.get(i));
      }
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          deleted.add(row.getObject(1, UUID.class));
        }
      }
    }
    return deleted;
  }

  /**
   * Deletes rows of a table whose deletion is recorded, as a node may have died between a row and
   * its deletion, and forgets deletions of over a day ago; returns how many of both.
   */
  static int sweep(Connection connection, String table) throws SQLException {
    int count = 0;
    for (String each :
        List.of(
            "delete from %s where id in (select id from callboard_deleted)".formatted(table),
            "delete from callboard_deleted where deleted_at < current_timestamp - interval '1' day")) {
      try (PreparedStatement statement = connection.prepareStatement(each)) {
        count += statement.executeUpdate();
      }
    }
    return count;
  }
}
