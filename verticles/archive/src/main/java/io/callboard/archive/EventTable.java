package io.callboard.archive;

import io.callboard.codecs.Json;
import io.callboard.feed.Feeds;
import io.callboard.journal.FeedEvent;
import io.callboard.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/** Table of events. Each method is part of a transaction. */
final class EventTable {
  static final String COLUMNS =
      "feed, feed_position, actor, turn, event_number, committed_at, event_type, type_version, body";

  private EventTable() {}

  /**
   * Writes the events that are not stored yet; those that are must be equal.
   *
   * @param events events of one feed, with consecutive positions
   * @param begins whether the feed was not written before
   * @throws StoreException of kind {@code CORRUPT} if they do not follow the stored events, or
   *     differ from them
   */
  static int write(Connection connection, List<FeedEvent> events, boolean begins)
      throws SQLException {
    FeedEvent first = events.get(0);
    long last = last(connection, first.feed());
    boolean follows = first.position() <= last + 1 || (begins && last == 0);
    if (!follows) {
      throw StoreException.corrupt(
          "the next event of feed %s has position %d, but the archive ends with %d: it is not the archive of this cell, or it was restored to an older state than the cell: restore a state of it that is not older than the cell's, or insert the missing events"
              .formatted(first.feed(), first.position(), last));
    }
    List<FeedEvent> repeated = events.stream().filter(each -> each.position() <= last).toList();
    if (!repeated.isEmpty()) {
      RepeatedEvents.check(connection, repeated);
    }
    List<FeedEvent> fresh = events.subList(repeated.size(), events.size());
    String insert =
        "insert into callboard_event (%s) values (?, ?, ?, ?, ?, ?, ?, ?, ?)".formatted(COLUMNS);
    try (PreparedStatement statement = connection.prepareStatement(insert)) {
      for (FeedEvent each : fresh) {
        set(statement, each);
        statement.addBatch();
      }
      if (!fresh.isEmpty()) {
        int[] unused = statement.executeBatch();
      }
    }
    return fresh.size();
  }

  private static void set(PreparedStatement statement, FeedEvent event) throws SQLException {
    statement.setString(1, event.feed());
    statement.setLong(2, event.position());
    statement.setString(3, event.actor());
    statement.setLong(4, event.turn());
    statement.setLong(5, event.number());
    statement.setObject(6, OffsetDateTime.ofInstant(event.at(), ZoneOffset.UTC));
    statement.setString(7, event.type());
    statement.setInt(8, event.version());
    statement.setString(9, new String(Json.bytes(event.body()), StandardCharsets.UTF_8));
  }

  /** Returns the last position of a feed; 0 if it has none. */
  static long last(Connection connection, String feed) throws SQLException {
    String select =
        "select feed_position from callboard_event where feed = ? order by feed_position desc limit 1";
    try (PreparedStatement statement = connection.prepareStatement(select)) {
      statement.setString(1, feed);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? row.getLong(1) : 0;
      }
    }
  }

  /** Returns events of a feed behind a position, in order. */
  static List<FeedEvent> read(Connection connection, String feed, long after, int limit)
      throws SQLException {
    String select =
        "select %s from callboard_event where feed = ? and feed_position > ? order by feed_position limit ?"
            .formatted(COLUMNS);
    try (PreparedStatement statement = connection.prepareStatement(select)) {
      statement.setString(1, feed);
      statement.setLong(2, after);
      statement.setInt(3, limit);
      return read(statement);
    }
  }

  /** Returns events of one actor in a feed behind a position, in order. */
  static List<FeedEvent> ofActor(
      Connection connection, String feed, String actor, long after, int limit) throws SQLException {
    String select =
        "select %s from callboard_event where feed = ? and actor = ? and feed_position > ? order by feed_position limit ?"
            .formatted(COLUMNS);
    try (PreparedStatement statement = connection.prepareStatement(select)) {
      statement.setString(1, feed);
      statement.setString(2, actor);
      statement.setLong(3, after);
      statement.setInt(4, limit);
      return read(statement);
    }
  }

  /** Returns events of an actor's current life, of turns behind {@code begun}, in order. */
  static List<FeedEvent> ofLife(
      Connection connection, String actor, long begun, long after, int limit) throws SQLException {
    long position = begin(connection, actor, Long.MAX_VALUE);
    String select =
        "select %s from callboard_event where feed = ? and actor = ? and feed_position > ? and turn > ? and event_number > ? order by feed_position limit ?"
            .formatted(COLUMNS);
    try (PreparedStatement statement = connection.prepareStatement(select)) {
      statement.setString(1, Feeds.ARCHIVE);
      statement.setString(2, actor);
      statement.setLong(3, position);
      statement.setLong(4, begun);
      statement.setLong(5, after);
      statement.setInt(6, limit);
      return read(statement);
    }
  }

  /** Returns the position of an actor's last archived event until that time; 0 if there is none. */
  static long lastUntil(Connection connection, String actor, Instant time) throws SQLException {
    return position(
        connection, actor, "committed_at <= ?", OffsetDateTime.ofInstant(time, ZoneOffset.UTC));
  }

  /**
   * Returns the position of an actor's last archived event of that number.
   *
   * @throws IllegalArgumentException if there is none
   */
  static long numbered(Connection connection, String actor, long event) throws SQLException {
    long position = position(connection, actor, "event_number = ?", event);
    if (position == 0 || event < 1) {
      throw new IllegalArgumentException(
          "event %d of %s is not in the archive".formatted(event, actor));
    }
    return position;
  }

  /**
   * Returns the position behind which the life began to which the event at that position belongs.
   */
  static long begin(Connection connection, String actor, long position) throws SQLException {
    return position(connection, actor, "event_number = 0 and feed_position < ?", position);
  }

  private static long position(Connection connection, String actor, String where, Object value)
      throws SQLException {
    String select =
        "select max(feed_position) from callboard_event where feed = ? and actor = ? and " + where;
    try (PreparedStatement statement = connection.prepareStatement(select)) {
      statement.setString(1, Feeds.ARCHIVE);
      statement.setString(2, actor);
      statement.setObject(3, value);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? row.getLong(1) : 0;
      }
    }
  }

  private static List<FeedEvent> read(PreparedStatement statement) throws SQLException {
    List<FeedEvent> events = new ArrayList<>();
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        events.add(
            new FeedEvent(
                row.getString(1),
                row.getLong(2),
                row.getString(3),
                row.getLong(4),
                row.getLong(5),
                row.getObject(6, OffsetDateTime.class).toInstant(),
                row.getString(7),
                row.getInt(8),
                Json.parse(
                    "an archived event", row.getString(9).getBytes(StandardCharsets.UTF_8))));
      }
    }
    return events;
  }
}
