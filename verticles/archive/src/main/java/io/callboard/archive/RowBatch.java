package io.callboard.archive;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Statement that is run for many rows at once, and values as a database takes them. */
final class RowBatch {
  private RowBatch() {}

  /** Adds the parameters of one row to a batch. */
  @FunctionalInterface
  interface Parameters<R> {
    void add(PreparedStatement statement, R row) throws SQLException;
  }

  static <R> void run(Connection connection, String sql, List<R> rows, Parameters<R> parameters)
      throws SQLException {
    if (rows.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (R row : rows) {
        parameters.add(statement, row);
      }
      int[] unused = statement.executeBatch();
    }
  }

  /** Returns the versions of those rows that are there, which stay locked until the end. */
  static Map<UUID, Long> versions(Connection connection, String table, List<UUID> ids)
      throws SQLException {
    String select =
        "select id, version from %s where id in (%s) order by id for update"
            .formatted(table, String.join(", ", ids.stream().map(id -> "?").toList()));
    Map<UUID, Long> versions = new HashMap<>();
    try (PreparedStatement statement = connection.prepareStatement(select)) {
      for (int i = 0; i < ids.size(); i++) {
        statement.setObject(i + 1, ids.get(i));
      }
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          versions.put(row.getObject(1, UUID.class), row.getLong(2));
        }
      }
    }
    return versions;
  }

  /** Returns the id as the tables have it; empty if it is none. */
  static Optional<UUID> uuid(String id) {
    try {
      return Optional.of(UUID.fromString(id));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  static @Nullable OffsetDateTime time(@Nullable Instant at) {
    return at == null ? null : OffsetDateTime.ofInstant(at, ZoneOffset.UTC);
  }

  /** Returns at most the first {@code most} characters, cleaned. */
  static String cut(String text, int most) {
    String clean = String.valueOf(clean(text));
    return clean.length() <= most ? clean : String.valueOf(clean(clean.substring(0, most)));
  }

  /** Returns the text with what no database takes replaced: NUL, and halves of characters. */
  static @Nullable String clean(@Nullable String text) {
    return text == null
        ? null
        : new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8)
            .replace('\0', '\uFFFD');
  }
}
