package io.callboard.archive;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * Indexes of PostgreSQL for the search in the text of jobs and workflow instances. They need the
 * extension {@code pg_trgm}, which the database's owner may create; without it a search reads the
 * rows one after another, as it does in H2.
 */
final class TextSearch {
  private static final List<String> TABLES = List.of("callboard_job", "callboard_workflow");

  private TextSearch() {}

  /** Creates the indexes that are missing. Part of a transaction. */
  static boolean prepare(Connection connection) throws SQLException {
    boolean created = false;
    if (isPostgres(connection)) {
      for (String table : TABLES) {
        created |= !exists(connection, table) && create(connection, table);
      }
    }
    return created;
  }

  /** Returns whether this is the database that has these indexes. */
  static boolean isPostgres(Connection connection) throws SQLException {
    return connection.getMetaData().getDatabaseProductName().equals("PostgreSQL");
  }

  private static boolean create(Connection connection, String table) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      boolean unused = statement.execute("create extension if not exists pg_trgm");
      unused =
          statement.execute(
              "create index if not exists %s_search on %s using gin (search \"%s\".gin_trgm_ops)"
                  .formatted(table, table, schema(connection)));
      return true;
    }
  }

  private static boolean exists(Connection connection, String table) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement("select to_regclass(?)")) {
      select.setString(1, table + "_search");
      try (ResultSet row = select.executeQuery()) {
        return row.next() && row.getString(1) != null;
      }
    }
  }

  /** Returns the schema of the extension, which another cell may have created. */
  private static String schema(Connection connection) throws SQLException {
    String select =
        "select n.nspname from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pg_trgm'";
    try (PreparedStatement statement = connection.prepareStatement(select);
        ResultSet row = statement.executeQuery()) {
      if (!row.next()) {
        throw new SQLException("the extension pg_trgm was not created");
      }
      return row.getString(1);
    }
  }
}
