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
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.flywaydb.core.Flyway;

/** A pool of connections, and threads of its own that wait for them. Thread-safe. */
final class Database {
  private static final Duration CONNECT = Duration.ofSeconds(10);

  /** After which a statement of PostgreSQL, or a wait for another's, is given up. */
  private static final Duration STATEMENT = Duration.ofSeconds(60);

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

  /**
   * Connects, and brings the tables to what this code knows.
   *
   * @param name of the pool, and of its threads
   */
  static Future<Database> open(Vertx vertx, String url, String name, int size) {
    WorkerExecutor threads =
        vertx.createSharedWorkerExecutor(name, size, LONGEST.toNanos(), TimeUnit.NANOSECONDS);
    return threads
        .executeBlocking(() -> connect(url, name, size), false)
        .map(connections -> new Database(connections, threads, url.startsWith("jdbc:h2:")))
        .onFailure(cause -> threads.close());
  }

  private static HikariDataSource connect(String url, String name, int size) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setPoolName(name);
    config.setMaximumPoolSize(size);
    config.setMinimumIdle(1);
    config.setAutoCommit(false);
    config.setConnectionTimeout(CONNECT.toMillis());
    if (url.startsWith("jdbc:postgresql:")) {
      bound(config);
    }
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

  /** A peer that is cut off without a word holds neither us nor, by a lock, the others. */
  private static void bound(HikariConfig config) {
    config.addDataSourceProperty("socketTimeout", STATEMENT.toSeconds());
    config.addDataSourceProperty("tcpKeepAlive", true);
    config.setConnectionInitSql(
        "set lock_timeout = '%ds'; set idle_in_transaction_session_timeout = '%ds'"
            .formatted(STATEMENT.toSeconds() / 2, STATEMENT.toSeconds()));
  }

  /**
   * Runs {@code work} and commits.
   *
   * @return fails with a {@link StoreException} of kind {@code UNAVAILABLE} for whatever the
   *     database refuses, with anything else that {@code work} throws
   */
  <T> Future<T> transaction(Work<T> work) {
    return submit(() -> run(work));
  }

  private <T> Future<T> submit(Callable<T> task) {
    Future<T> submitted;
    try {
      submitted = threads.executeBlocking(task, false);
    } catch (RejectedExecutionException e) {
      submitted = Future.failedFuture(e);
    }
    return submitted.recover(
        cause ->
            Future.failedFuture(
                cause instanceof RejectedExecutionException
                    ? StoreException.unavailable("the archive is closed", cause)
                    : cause));
  }

  /** The same, on disk when it completes. */
  <T> Future<T> durably(Work<T> work) {
    return submit(
        () -> {
          T done = run(work);
          if (lazy) {
            boolean unused = run(Database::sync);
          }
          return done;
        });
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
              return true;
            },
            false)
        .eventually(threads::close)
        .mapEmpty();
  }
}
