package io.callboard.archive;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Identity of a database, created by its first user. Each method is part of a transaction. */
final class ArchiveId {
  private ArchiveId() {}

  static String of(Connection connection) throws SQLException {
    String id = find(connection);
    if (id != null) {
      return id;
    }
    String made = UUID.randomUUID().toString();
    try (PreparedStatement insert =
        connection.prepareStatement("insert into callboard_archive (number, id) values (1, ?)")) {
      insert.setString(1, made);
      int unused = insert.executeUpdate();
    }
    return made;
  }

  private static @Nullable String find(Connection connection) throws SQLException {
    try (PreparedStatement select =
            connection.prepareStatement("select id from callboard_archive where number = 1");
        ResultSet row = select.executeQuery()) {
      return row.next() ? row.getString(1) : null;
    }
  }
}
