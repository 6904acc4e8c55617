package io.callboard.archive;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Page of a table whose ids are UUIDs of version 7, in their order: its conditions, and values. */
final class RowPage {
  /**
   * Margin of the time in an id before the creation that was recorded: two clocks, of which one may
   * be wrong.
   */
  private static final Duration CLOCKS = Duration.ofDays(1);

  private final String table;
  private final List<String> conditions = new ArrayList<>();
  private final List<Object> parameters = new ArrayList<>();

  /** Creates a page without conditions. */
  RowPage(String table) {
    this.table = table;
  }

  /** Adds a condition with its values; columns are those of {@code r}. */
  void add(String condition, Object... values) {
    conditions.add(condition);
    parameters.addAll(List.of(values));
  }

  /** Adds the equality of a column; nothing for null. */
  void equal(String column, @Nullable String value) {
    if (value != null) {
      add("r." + column + " = ?", value);
    }
  }

  /** Adds that the row is behind that id; nothing for null. */
  void after(@Nullable String id, boolean ascending) {
    if (id != null) {
      add(ascending ? "r.id > ?" : "r.id < ?", UUID.fromString(id));
    }
  }

  /** Adds that the row was created after a time; nothing for null. */
  void createdAfter(@Nullable Instant created) {
    if (created != null) {
      add("r.created_at > ?", OffsetDateTime.ofInstant(created, ZoneOffset.UTC));
      add("r.id >= ?", first(created.minus(CLOCKS)));
    }
  }

  /** Adds that the row ended after a time; nothing for null. */
  void endedAfter(@Nullable Instant ended) {
    if (ended != null) {
      add("r.ended_at > ?", OffsetDateTime.ofInstant(ended, ZoneOffset.UTC));
    }
  }

  /** Adds that the text is part of the searched one; nothing for null. Part of a transaction. */
  void text(Connection connection, @Nullable String text) throws SQLException {
    if (text != null) {
      List<String> rare = RareWords.of(connection, table, text);
      for (String word : rare) {
        add("r.search like ? escape '!'", part(word));
      }
      // An expression, which the index does not have, where it is asked for the rare words.
      add((rare.isEmpty() ? "r.search" : "r.search || ''") + " like ? escape '!'", part(text));
    }
  }

  private static String part(String text) {
    return "%" + text.replaceAll("[!%_]", "!$0") + "%";
  }

  /**
   * Adds a label; nothing for null.
   *
   * @param labels table of the labels
   * @param key column that has the id of the row
   * @param value its value; null for any
   */
  void label(String labels, String key, @Nullable String name, @Nullable String value) {
    String of =
        "exists (select 1 from %s l where l.%s = r.id and l.name = ?".formatted(labels, key);
    if (name != null && value != null) {
      add(of + " and l.label_value = ?)", name, value);
    } else if (name != null) {
      add(of + ")", name);
    }
  }

  /** Returns the views of the rows. Part of a transaction. */
  List<String> read(Connection connection, boolean ascending, int limit) throws SQLException {
    String where = conditions.isEmpty() ? "" : "where " + String.join(" and ", conditions);
    String select =
        "select list_view from %s r %s order by r.id %s limit ?"
            .formatted(table, where, ascending ? "asc" : "desc");
    List<String> views = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(select)) {
      int next = 1;
      for (Object parameter : parameters) {
        statement.setObject(next++, parameter);
      }
      statement.setInt(next, limit);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          views.add(row.getString(1));
        }
      }
    }
    return views;
  }

  /** Returns the smallest id of that time. */
  private static UUID first(Instant at) {
    return new UUID(Math.max(0, at.toEpochMilli()) << 16, 0);
  }
}
