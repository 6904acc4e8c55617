package io.callboard.archive;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.callboard.store.StoreException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.flywaydb.core.Flyway;

/** A pool of connections, and threads of its own that wait for them. Thread-safe. */
final class Database {
  private static final int CONNECTIONS = 8;
  private static final Duration CONNECT = Duration.ofSeconds(10);
  private static final Duration LONGEST = Duration.ofMinutes(5);

  private final HikariDataSource connections;
  private final WorkerExecutor threads;
  private final boolean lazy;

  /** Something within one transaction, on a thread that may wait. */
  @FunctionalInterface
  interface Work<T> {
    T run(Connection connection) throws SQLException;
  }

  /**
   * @param lazy whether a commit may be in memory only when it returns, as H2's
   */
  private Database(HikariDataSource connections, WorkerExecutor threads, boolean lazy) {
    this.connections = connections;
    this.threads = threads;
    this.lazy = lazy;
  }

  /** Connects, and brings the tables to what this code knows. */
  static Future<Database> open(Vertx vertx, String url) {
    WorkerExecutor threads =
        vertx.createSharedWorkerExecutor(
            "callboard-archive", CONNECTIONS, LONGEST.toNanos(), TimeUnit.NANOSECONDS);
    return threads
        .executeBlocking(() -> connect(url), false)
        .map(connections -> new Database(connections, threads, url.startsWith("jdbc:h2:")))
        .onFailure(cause -> threads.close());
  }

  private static HikariDataSource connect(String url) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setPoolName("callboard-archive");
    config.setMaximumPoolSize(CONNECTIONS);
    config.setMinimumIdle(1);
    config.setAutoCommit(false);
    config.setConnectionTimeout(CONNECT.toMillis());
    HikariDataSource connections = new HikariDataSource(config);
    try {
      Flyway.configure(Database.class.getClassLoader())
          .loggers("slf4j")
          .dataSource(connections)
          .locations("classpath:io/callboard/archive/migration")
          .table("callboard_schema_history")
          .baselineOnMigrate(true)
          .baselineVersion("0")
          .load()
          .migrate();
    } catch (RuntimeException e) {
      connections.close();
      throw e;
    }
    return connections;
  }

  /**
   * Runs {@code work} and commits.
   *
   * @return fails with a {@link StoreException} of kind {@code UNAVAILABLE} for whatever the
   *     database refuses, with anything else that {@code work} throws
   */
  <T> Future<T> transaction(Work<T> work) {
    return threads.executeBlocking(() -> run(work), false);
  }

  /** The same, on disk when it completes. */
  <T> Future<T> durably(Work<T> work) {
    return threads.executeBlocking(
        () -> {
          T done = run(work);
          if (lazy) {
            boolean unused = run(Database::sync);
          }
          return done;
        },
        false);
  }

  private static boolean sync(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return statement.execute("checkpoint sync");
    }
  }

  private <T> T run(Work<T> work) {
    try (Connection connection = connections.getConnection()) {
      try {
        T done = work.run(connection);
        connection.commit();
        return done;
      } catch (SQLException | RuntimeException | Error e) {
        rollback(connection, e);
        throw e;
      }
    } catch (SQLException e) {
      throw StoreException.unavailable("the archive's database: " + e.getMessage(), e);
    }
  }

  private static void rollback(Connection connection, Throwable cause) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      cause.addSuppressed(e); // the pool drops the connection
    }
  }

  /** Completes when the connections are closed. */
  Future<Void> close() {
    return threads
        .executeBlocking(
            () -> {
              connections.close();
              return null;
            },
            false)
        .eventually(threads::close)
        .mapEmpty();
  }
}
