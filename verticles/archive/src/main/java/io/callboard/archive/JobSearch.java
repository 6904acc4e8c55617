package io.callboard.archive;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Index of PostgreSQL for the search in the text of jobs. It needs the extension {@code pg_trgm},
 * which the database's owner may create; without it a search reads the rows one after another, as
 * it does in H2.
 */
final class JobSearch {
  private JobSearch() {}

  /** Creates the index, if it is missing. Part of a transaction. */
  static boolean prepare(Connection connection) throws SQLException {
    if (!connection.getMetaData().getDatabaseProductName().equals("PostgreSQL")
        || exists(connection)) {
      return false;
    }
    try (Statement statement = connection.createStatement()) {
      boolean unused = statement.execute("create extension if not exists pg_trgm");
      return statement.execute(
          "create index if not exists callboard_job_search on callboard_job using gin (search \"%s\".gin_trgm_ops)"
              .formatted(schema(connection)));
    }
  }

  private static boolean exists(Connection connection) throws SQLException {
    try (PreparedStatement select =
            connection.prepareStatement("select to_regclass('callboard_job_search')");
        ResultSet row = select.executeQuery()) {
      return row.next() && row.getString(1) != null;
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
