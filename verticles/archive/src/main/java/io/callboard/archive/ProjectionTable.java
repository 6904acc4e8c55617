package io.callboard.archive;

import io.callboard.journal.FeedEvent;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** Table of the progress of projections. Each method is part of a transaction. */
final class ProjectionTable {
  /** Maximum number of events that one transaction applies. */
  static final int AT_ONCE = 500;

  private ProjectionTable() {}

  /**
   * Prepares the projection's tables, and creates its row if it does not exist.
   *
   * @throws IllegalStateException if the projection follows another feed in this database
   */
  static void begin(Connection connection, Projection projection) throws SQLException {
    projection.prepare(connection);
    String insert =
        "insert into callboard_projection (name, feed, feed_position) select ?, ?, 0 where not exists (select 1 from callboard_projection where name = ?)";
    try (PreparedStatement statement = connection.prepareStatement(insert)) {
      statement.setString(1, projection.name());
      statement.setString(2, projection.feed());
      statement.setString(3, projection.name());
      int unused = statement.executeUpdate();
    }
    String select = "select feed from callboard_projection where name = ?";
    try (PreparedStatement statement = connection.prepareStatement(select)) {
      statement.setString(1, projection.name());
      try (ResultSet row = statement.executeQuery()) {
        if (row.next() && !row.getString(1).equals(projection.feed())) {
          throw new IllegalStateException(
              "projection %s follows feed %s in this database, not %s: give it another name"
                  .formatted(projection.name(), row.getString(1), projection.feed()));
        }
      }
    }
  }

  /** Applies the next events; returns their number. */
  static int step(Connection connection, Projection projection) throws SQLException {
    At at = locked(connection, projection);
    if (at.rebuild()) {
      resetAfterCut(connection, projection);
    }
    return step(connection, projection, at.position());
  }

  private static int step(Connection connection, Projection projection, long position)
      throws SQLException {
    List<FeedEvent> next = EventTable.read(connection, projection.feed(), position, AT_ONCE);
    for (FeedEvent event : next) {
      projection.apply(connection, event);
    }
    if (!next.isEmpty()) {
      moveTo(connection, projection, next.get(next.size() - 1).position());
    }
    return next.size();
  }

  private static void resetAfterCut(Connection connection, Projection projection)
      throws SQLException {
    try {
      projection.reset(connection);
    } catch (UnsupportedOperationException e) {
      throw new IllegalStateException(
          "projection %s has applied events of feed %s that were cut out of the archive, and cannot be rebuilt: override reset(connection), or give the projection another name and tables"
              .formatted(projection.name(), projection.feed()),
          e);
    }
    moveTo(connection, projection, 0);
  }

  /**
   * Empties the projection's tables and applies the first events again, or changes nothing if that
   * fails; returns the former position.
   */
  static long rebuild(Connection connection, Projection projection) throws SQLException {
    At at = locked(connection, projection);
    projection.reset(connection);
    moveTo(connection, projection, 0);
    int unused = step(connection, projection, 0);
    return at.position();
  }

  /**
   * Progress of a projection.
   *
   * @param position position of the last event that it has applied
   * @param rebuild whether its tables are to be emptied first
   */
  private record At(long position, boolean rebuild) {}

  /** Reads the progress and locks it against others until this transaction ends. */
  private static At locked(Connection connection, Projection projection) throws SQLException {
    String select =
        "select feed_position, rebuild from callboard_projection where name = ? for update";
    try (PreparedStatement statement = connection.prepareStatement(select)) {
      statement.setString(1, projection.name());
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          throw new IllegalStateException(
              "projection %s is not in this database any more".formatted(projection.name()));
        }
        return new At(row.getLong(1), row.getBoolean(2));
      }
    }
  }

  private static void moveTo(Connection connection, Projection projection, long position)
      throws SQLException {
    String update =
        "update callboard_projection set feed_position = ?, rebuild = false where name = ?";
    try (PreparedStatement statement = connection.prepareStatement(update)) {
      statement.setLong(1, position);
      statement.setString(2, projection.name());
      int unused = statement.executeUpdate();
    }
  }

  static ProjectionStatus status(Connection connection, String name) throws SQLException {
    String select = "select feed, feed_position from callboard_projection where name = ?";
    try (PreparedStatement statement = connection.prepareStatement(select)) {
      statement.setString(1, name);
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          throw new IllegalArgumentException(
              "there is no projection \"%s\" in this database".formatted(name));
        }
        String feed = row.getString(1);
        long position = row.getLong(2);
        List<FeedEvent> next = EventTable.read(connection, feed, position, 1);
        return new ProjectionStatus(
            name,
            feed,
            position,
            Math.max(position, EventTable.last(connection, feed)),
            next.isEmpty() ? Optional.empty() : Optional.of(next.get(0).at()));
      }
    }
  }
}
