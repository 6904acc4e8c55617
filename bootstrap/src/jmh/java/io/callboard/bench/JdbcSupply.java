package io.callboard.bench;

import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.sql.Array;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Outbox table in PostgreSQL. */
final class JdbcSupply implements Supply {
  private static final int BATCH = 100;

  private final String url;
  private final String table;
  private final String model;
  private final Connection connection;
  private int number;

  /**
   * Connects.
   *
   * @param model table that a source has made when messages are put; this one is made like it
   */
  JdbcSupply(String url, String table, String model) throws SQLException {
    this.url = url;
    this.table = table;
    this.model = model;
    this.connection = DriverManager.getConnection(url);
  }

  @Override
  public JsonObject settings() {
    return new JsonObject().put("url", url).put("table", table).put("createTable", true);
  }

  @Override
  public String plain() {
    return "transactions that select %d rows for update skip locked, and delete them"
        .formatted(BATCH);
  }

  @Override
  public void put(int count) throws SQLException {
    try (Statement making = connection.createStatement()) {
      boolean unused =
          making.execute(
              "create table if not exists %s (like %s including all)".formatted(table, model));
    }
    try (PreparedStatement insert =
        connection.prepareStatement("insert into %s (body) values (?)".formatted(table))) {
      for (int i = 0; i < count; i++) {
        insert.setBytes(1, Supply.body(++number).getBytes(StandardCharsets.UTF_8));
        insert.addBatch();
      }
      var unused = insert.executeBatch();
    }
  }

  @Override
  public void take(int count) throws SQLException {
    String open = "done_at is null and dead_at is null and available_at <= now()";
    String select =
        "select id, body from %s where %s order by available_at, id limit %d for update skip locked"
            .formatted(table, open, BATCH);
    String delete = "delete from %s where id = any(?)".formatted(table);
    connection.setAutoCommit(false);
    try (PreparedStatement taking = connection.prepareStatement(select);
        PreparedStatement deleting = connection.prepareStatement(delete)) {
      for (int taken = 0; taken < count; ) {
        List<Long> ids = new ArrayList<>();
        try (ResultSet rows = taking.executeQuery()) {
          while (rows.next()) {
            ids.add(rows.getLong(1));
            Supply.check(rows.getBytes(2).length);
          }
        }
        Array all = connection.createArrayOf("bigint", ids.toArray());
        deleting.setArray(1, all);
        taken += deleting.executeUpdate();
        connection.commit();
      }
    } finally {
      connection.setAutoCommit(true);
    }
  }

  @Override
  public long left() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("select count(*) from " + table)) {
      if (!rows.next()) {
        throw new SQLException("a count has no row");
      }
      return rows.getLong(1);
    }
  }

  @Override
  public void end() throws SQLException {
    connection.close();
  }
}
