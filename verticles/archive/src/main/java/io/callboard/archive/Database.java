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

/** Pool of connections, with threads of its own that block on them. Thread-safe. */
final class Database {
  private static final Duration CONNECT = Duration.ofSeconds(10);

  /** Time after which a statement of PostgreSQL, or a wait for a lock, is given up. */
  private static final Duration STATEMENT = Duration.ofSeconds(60);

  private static final Duration LONGEST = Duration.ofMinutes(5);

  private final HikariDataSource connections;
  private final WorkerExecutor threads;
  private final boolean lazy;

  /** Work within one transaction, on a thread that may block. */
  @FunctionalInterface
  interface Work<T> {
    T run(Connection connection) throws SQLException;
  }

  /**
   * Creates the pool.
   *
   * @param lazy whether a commit may be only in memory when it returns, as with H2
   */
  private Database(HikariDataSource connections, WorkerExecutor threads, boolean lazy) {
    this.connections = connections;
    this.threads = threads;
    this.lazy = lazy;
  }

  /**
   * Connects, and updates the tables to this version.
   *
   * @param name name of the pool and of its threads
   */
  static Future<Database> open(Vertx vertx, String url, String name, int size) {
    WorkerExecutor threads =
        vertx.createSharedWorkerExecutor(name, size, LONGEST.toNanos(), TimeUnit.NANOSECONDS);
    return threads
        .executeBlocking(() -> connect(url, name, size), false)
        .map(connections -> new Database(connections, threads, isH2(url)))
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
    } else if (isH2(url)) {
      config.setConnectionInitSql("set write_delay 0"); // else a checkpoint may leave out the last
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

  private static boolean isH2(String url) {
    return url.startsWith("jdbc:h2:");
  }

  /** Sets time-outs, so that a lost connection neither blocks this node nor, by a lock, others. */
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
   * @return fails with a {@link StoreException} of kind {@code UNAVAILABLE} for any failure of the
   *     database, otherwise with whatever {@code work} throws
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

  /** Runs {@code work} and commits; completes when the commit is on disk. */
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
      cause.addSuppressed(e); // the pool closes the connection
    }
  }

  /** Closes the connections; completes when they are closed. */
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
