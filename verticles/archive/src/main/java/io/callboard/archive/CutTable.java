package io.callboard.archive;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Cut of feeds in the table of events. Each method is part of a transaction. */
final class CutTable {
  private CutTable() {}

  /** Returns the last position of each feed. */
  static SortedMap<String, Long> lasts(Connection connection) throws SQLException {
    String select = "select feed, max(feed_position) from callboard_event group by feed";
    SortedMap<String, Long> lasts = new TreeMap<>();
    try (PreparedStatement statement = connection.prepareStatement(select);
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        lasts.put(row.getString(1), row.getLong(2));
      }
    }
    return lasts;
  }

  /** Returns what is stored behind {@code position}. */
  static FeedCut look(Connection connection, String feed, long position) throws SQLException {
    String select =
        "select count(*), count(distinct actor), min(committed_at), max(committed_at) from callboard_event where feed = ? and feed_position > ?";
    try (PreparedStatement statement = prepared(connection, select, feed, position);
        ResultSet row = statement.executeQuery()) {
      if (!row.next()) {
        throw new IllegalStateException("the database counts nothing");
      }
      return new FeedCut(
          feed,
          position,
          EventTable.last(connection, feed),
          row.getLong(1),
          row.getLong(2),
          time(row, 3),
          time(row, 4),
          projections(connection, feed, position));
    }
  }

  private static Optional<Instant> time(ResultSet row, int column) throws SQLException {
    return Optional.ofNullable(row.getObject(column, OffsetDateTime.class))
        .map(OffsetDateTime::toInstant);
  }

  private static List<String> projections(Connection connection, String feed, long position)
      throws SQLException {
    String select =
        "select name from callboard_projection where feed = ? and feed_position > ? order by name";
    List<String> names = new ArrayList<>();
    try (PreparedStatement statement = prepared(connection, select, feed, position);
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        names.add(row.getString(1));
      }
    }
    return names;
  }

  /**
   * Keeps feeds from writing until this transaction ends. H2 needs no lock, as it belongs to one
   * process, which is no node's.
   */
  static void lock(Connection connection) throws SQLException {
    if (connection.getMetaData().getDatabaseProductName().equals("PostgreSQL")) {
      try (Statement statement = connection.createStatement()) {
        boolean unused = statement.execute("lock table callboard_event in exclusive mode");
      }
    }
  }

  /** Moves the events behind {@code position} away, and makes the affected projections restart. */
  static FeedCut cut(Connection connection, String feed, long position, Instant now)
      throws SQLException {
    FeedCut cut = look(connection, feed, position);
    String copy =
        "insert into callboard_cut_event (cut_at, %s) select ?, %s from callboard_event where feed = ? and feed_position > ?"
            .formatted(EventTable.COLUMNS, EventTable.COLUMNS);
    try (PreparedStatement statement = connection.prepareStatement(copy)) {
      statement.setObject(1, OffsetDateTime.ofInstant(now, ZoneOffset.UTC));
      statement.setString(2, feed);
      statement.setLong(3, position);
      int unused = statement.executeUpdate();
    }
    change(connection, "delete from callboard_event where feed = ? and feed_position > ?", cut);
    change(
        connection,
        "update callboard_projection set rebuild = true, feed_position = 0 where feed = ? and feed_position > ?",
        cut);
    return cut;
  }

  private static void change(Connection connection, String sql, FeedCut cut) throws SQLException {
    try (PreparedStatement statement = prepared(connection, sql, cut.feed(), cut.position())) {
      int unused = statement.executeUpdate();
    }
  }

  private static PreparedStatement prepared(
      Connection connection, String sql, String feed, long position) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    statement.setString(1, feed);
    statement.setLong(2, position);
    return statement;
  }
}
