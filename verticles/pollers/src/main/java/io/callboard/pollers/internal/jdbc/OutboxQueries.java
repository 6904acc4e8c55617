package io.callboard.pollers.internal.jdbc;

import com.fasterxml.jackson.databind.JsonNode;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.codecs.internal.text.CutText;
import io.callboard.pollers.internal.json.JsonTexts;
import io.callboard.pollers.source.EmissionRefusedException;
import io.callboard.pollers.source.EmittedMessage;
import io.callboard.pollers.source.Source;
import io.callboard.pollers.source.SourceException;
import io.callboard.pollers.source.SourceMessage;
import io.callboard.supervision.Causes;
import io.callboard.time.Time;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Outbox table and the connections to it. Blocks. Thread-safe. */
final class OutboxQueries {
  private static final Logger log = LoggerFactory.getLogger(OutboxQueries.class);

  /** Together less than the patience of the kind. */
  private static final Duration CONNECT = Duration.ofSeconds(3);

  private static final Duration STATEMENT = Duration.ofSeconds(4);
  private static final Duration SOCKET = Duration.ofSeconds(5);

  /** Most bytes of the headers of a row, as text. */
  private static final int LARGEST_HEADERS = 1024 * 1024;

  /** Most rows that could not be set aside which are remembered; one is shown. */
  private static final int MOST_STUCK = 1_000;

  private static final int MOST_COUNTED = 100_000;
  private static final int LONGEST_CAUSE = 64 * 1024;
  private static final int LONGEST_KEY = 250;

  /** Class of what PostgreSQL says of values that it cannot have, as null characters. */
  private static final String BAD_DATA = "22";

  private final JdbcSettings settings;
  private final String client;
  private final OutboxTable table;
  private final AtomicLong polls = new AtomicLong();
  private final Set<String> targets = ConcurrentHashMap.newKeySet();
  private volatile @Nullable HikariDataSource connections;
  private volatile boolean closed;

  /** Causes of rows that could not be set aside, by their receipts; while they have these. */
  private final Map<String, String> stuck = new ConcurrentSkipListMap<>();

  OutboxQueries(JdbcSettings settings, String client) {
    this.settings = settings;
    this.client = client;
    this.table = new OutboxTable(settings.table());
  }

  /** Connects, and makes or checks the table. */
  void open() throws SQLException {
    HikariDataSource opened = new HikariDataSource(config());
    connections = opened;
    if (closed) { // which may have seen none
      opened.close();
      throw new SQLException("the source was closed");
    }
    ensure(table);
  }

  private HikariConfig config() {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(settings.url());
    settings.user().ifPresent(config::setUsername);
    settings.password().ifPresent(config::setPassword);
    config.setPoolName("source-" + client);
    config.setMaximumPoolSize(settings.connections());
    config.setMinimumIdle(1);
    config.setConnectionTimeout(CONNECT.toMillis());
    config.setValidationTimeout(CONNECT.toMillis() / 2);
    config.addDataSourceProperty("connectTimeout", CONNECT.toSeconds());
    config.addDataSourceProperty("loginTimeout", CONNECT.toSeconds());
    config.addDataSourceProperty("socketTimeout", SOCKET.toSeconds());
    config.addDataSourceProperty("tcpKeepAlive", true);
    config.addDataSourceProperty("ApplicationName", "callboard source");
    config.setConnectionInitSql(
        "set statement_timeout = '%1$ds'; set lock_timeout = '%1$ds'"
            .formatted(STATEMENT.toSeconds()));
    return config;
  }

  private void ensure(OutboxTable each) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      if (settings.createTable()) {
        create(statement, each);
      }
      boolean unused = statement.execute(each.check());
    }
  }

  /** Creates a table; another client may do so at the same moment. */
  private static void create(Statement statement, OutboxTable table) throws SQLException {
    try {
      boolean unused = statement.execute(table.create());
    } catch (SQLException e) {
      if (!List.of("23505", "42P07").contains(String.valueOf(e.getSQLState()))) {
        throw e;
      }
      boolean unused = statement.execute(table.create());
    }
  }

  private Connection connect() throws SQLException {
    HikariDataSource current = connections;
    if (current == null) {
      throw new SQLException("the source is not open");
    }
    return current.getConnection();
  }

  void close() {
    closed = true;
    HikariDataSource current = connections;
    if (current != null) {
      current.close();
    }
  }

  /**
   * Row that was taken.
   *
   * @param message what it is; null if it cannot be read
   * @param cause why it cannot be read; empty if it can
   */
  private record Row(String receipt, @Nullable SourceMessage message, String cause) {}

  /**
   * Takes the rows that are due. What cannot be read is set aside by itself, and holds no other
   * row.
   */
  List<SourceMessage> take(int most) throws SQLException {
    List<Row> taken = rows(most);
    if (!stuck
        .isEmpty()) { // those that came again, were repaired or removed have their receipts no more
      stuck.keySet().retainAll(change(table.held(), null, List.copyOf(stuck.keySet())));
    }
    List<SourceMessage> messages = new ArrayList<>();
    for (Row row : taken) {
      if (row.message() == null) {
        setAside(row);
      } else {
        messages.add(row.message());
      }
    }
    return messages;
  }

  /** Sets aside; what cannot be is taken again when its lease is over. */
  private void setAside(Row row) {
    log.warn("row {} of {} is set aside: {}", id(row.receipt()), settings, row.cause());
    try {
      dead(row.receipt(), row.cause());
    } catch (SQLException e) {
      String trouble =
          "row %d cannot be set aside: %s (it is set aside because %s)"
              .formatted(id(row.receipt()), e.getMessage(), row.cause());
      log.warn("{}: {}", settings, trouble, e);
      if (stuck.size() < MOST_STUCK) {
        stuck.put(row.receipt(), trouble);
      }
    }
  }

  /** Returns what does not work though rows are taken; empty if nothing. */
  Optional<String> trouble() {
    return stuck.values().stream().findFirst();
  }

  private List<Row> rows(int most) throws SQLException {
    try (Connection connection = connect();
        PreparedStatement statement = connection.prepareStatement(table.take())) {
      statement.setInt(1, most);
      statement.setLong(2, Source.MOST_BYTES);
      statement.setString(3, client + "-" + polls.incrementAndGet());
      statement.setLong(4, settings.lease().toMillis());
      statement.setInt(5, settings.maxSize());
      statement.setInt(6, LARGEST_HEADERS);
      try (ResultSet result = statement.executeQuery()) {
        List<Row> rows = new ArrayList<>();
        while (result.next()) {
          rows.add(row(result));
        }
        return rows;
      }
    }
  }

  /** Reads a row; its content may be anything that the application has written. */
  private Row row(ResultSet result) throws SQLException {
    String receipt = result.getString(3);
    try {
      return new Row(receipt, message(result, receipt), "");
    } catch (SourceException e) {
      return new Row(receipt, null, String.valueOf(e.getMessage()));
    } catch (RuntimeException | SQLException e) {
      return new Row(receipt, null, "it cannot be read: " + Causes.message(e));
    }
  }

  private SourceMessage message(ResultSet result, String receipt) throws SQLException {
    byte[] body = result.getBytes(4);
    if (body == null) {
      throw new SourceException(
          result.getLong(5) == 0
              ? "its body is null"
              : "it has %,d bytes; the source takes up to %,d bytes (setting maxSize)"
                  .formatted(result.getLong(5), settings.maxSize()));
    }
    Timestamp insertedAt = result.getTimestamp(9);
    return new SourceMessage(
        result.getString(2),
        receipt,
        Buffer.buffer(body),
        headers(result.getString(6), result.getLong(7)),
        result.getInt(8),
        insertedAt == null ? null : insertedAt.toInstant(),
        result.getInt(10));
  }

  private static Map<String, String> headers(@Nullable String json, long bytes) {
    if (json == null) {
      throw new SourceException(
          bytes == 0
              ? "its headers are null; a row without any has {}"
              : "its headers have %,d bytes; the limit is %,d".formatted(bytes, LARGEST_HEADERS));
    }
    return JsonTexts.headers(object(json));
  }

  private static JsonNode object(String json) {
    JsonNode tree;
    try {
      tree = Json.parse("the text", json.getBytes(StandardCharsets.UTF_8));
    } catch (CodecException e) {
      throw new SourceException(
          "its headers are no JSON object that can be read: " + Causes.message(e), e);
    }
    if (!tree.isObject()) {
      throw new SourceException(
          "its headers are no JSON object, but %s"
              .formatted(tree.getNodeType().name().toLowerCase(Locale.ROOT)));
    }
    return tree;
  }

  /**
   * Extends the leases of rows.
   *
   * @return the receipts that were lost
   */
  Set<String> extend(Collection<String> receipts) throws SQLException {
    Set<String> lost = new HashSet<>(receipts);
    lost.removeAll(change(table.extend(settings.lease()), null, receipts));
    return lost;
  }

  void complete(Collection<String> receipts) throws SQLException {
    Set<String> unused = change(table.complete(settings.mark()), null, receipts);
  }

  void fail(String receipt, Duration delay, String cause) throws SQLException {
    String sql = table.fail(Time.atMostLongest(delay));
    Set<String> unused = change(sql, cause, List.of(receipt));
  }

  void dead(String receipt, String cause) throws SQLException {
    Set<String> unused = change(table.dead(), cause, List.of(receipt));
  }

  void release(Collection<String> receipts) throws SQLException {
    Set<String> unused = change(table.release(), null, receipts);
  }

  /** Changes the rows that these receipts still have; returns what was returned for them. */
  private Set<String> change(String sql, @Nullable String cause, Collection<String> receipts)
      throws SQLException {
    Set<String> changed = new HashSet<>();
    try (Connection connection = connect();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      int next = 1;
      if (cause != null) {
        statement.setString(next++, cut(cause));
      }
      Object[] ids = receipts.stream().map(OutboxQueries::id).toArray();
      statement.setArray(next++, connection.createArrayOf("bigint", ids));
      statement.setArray(next, connection.createArrayOf("text", receipts.toArray()));
      if (statement.execute()) {
        try (ResultSet result = statement.getResultSet()) {
          while (result.next()) {
            changed.add(String.valueOf(result.getString(1)));
          }
        }
      }
    }
    return changed;
  }

  private static Long id(String receipt) {
    return Long.valueOf(receipt.substring(receipt.lastIndexOf('.') + 1));
  }

  /** Returns the text as PostgreSQL can have it: no null characters, and not too long. */
  private static String cut(String text) {
    String clean = text.replace('\u0000', '\uFFFD');
    return clean.length() > LONGEST_CAUSE ? CutText.head(clean, LONGEST_CAUSE) + "…" : clean;
  }

  void emit(String target, EmittedMessage message) throws SQLException {
    if (!JdbcSettings.isTable(target)) {
      throw new EmissionRefusedException("\"%s\" is no name of a table".formatted(target));
    }
    OutboxTable other = new OutboxTable(target);
    if (!targets.contains(target)) {
      ensure(other);
      targets.add(target);
    }
    JsonObject headers = new JsonObject();
    message.headers().forEach(headers::put);
    try (Connection connection = connect();
        PreparedStatement statement = connection.prepareStatement(other.insert())) {
      statement.setString(1, message.id(LONGEST_KEY));
      statement.setBytes(2, message.body().getBytes());
      statement.setString(3, headers.encode());
      int unused = statement.executeUpdate();
    } catch (SQLException e) {
      if (String.valueOf(e.getSQLState()).startsWith(BAD_DATA)) {
        throw new EmissionRefusedException(
            "%s: PostgreSQL cannot have its id or headers: %s".formatted(target, e.getMessage()));
      }
      throw e;
    }
  }

  long waiting() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(table.count(MOST_COUNTED))) {
      boolean unused = result.next();
      return result.getLong(1);
    }
  }
}
