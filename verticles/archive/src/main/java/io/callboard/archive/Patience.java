package io.callboard.archive;

import io.callboard.time.Time;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens what needs a database again and again while that cannot be reached: a node that starts
 * meanwhile is whole when it is back. What else fails, such as a wrong password, fails at once.
 */
final class Patience {
  private static final Logger log = LoggerFactory.getLogger(Patience.class);
  private static final Duration AGAIN = Duration.ofSeconds(2);

  /** States of SQL: no connection, and a server that starts or stops. */
  private static final String NO_CONNECTION = "08";

  private static final String OPERATOR = "57P";

  private final Vertx vertx;
  private final long limitNanos;
  private final Time time;
  private final long begunNanos;

  /**
   * @param limit after which the last failure is the outcome
   */
  Patience(Vertx vertx, Duration limit, Time time) {
    this.vertx = vertx;
    this.limitNanos = limit.toNanos();
    this.time = time;
    this.begunNanos = time.nanoTime();
  }

  <T> Future<T> open(Supplier<Future<T>> attempt) {
    return attempt
        .get()
        .recover(
            cause -> {
              long left = limitNanos - (time.nanoTime() - begunNanos);
              if (!isAway(cause) || left <= 0) {
                return Future.failedFuture(cause);
              }
              log.warn(
                  "the archive's database cannot be reached, and is tried again every {} ms: {}",
                  AGAIN.toMillis(),
                  rootOf(cause));
              Promise<Void> later = Promise.promise();
              Time.Alarm unused = time.after(vertx.getOrCreateContext(), AGAIN, later::complete);
              return later.future().compose(v -> open(attempt));
            });
  }

  /** Whether the database is not there, and may be later. */
  static boolean isAway(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof SQLException sql && isAway(sql)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isAway(SQLException failure) {
    String state = failure.getSQLState() == null ? "" : failure.getSQLState();
    return failure instanceof SQLTransientConnectionException
        || failure instanceof SQLNonTransientConnectionException
        || state.startsWith(NO_CONNECTION)
        || state.startsWith(OPERATOR);
  }

  /** Without the address, which may hold a password. */
  private static String rootOf(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return String.valueOf(root.getMessage()).lines().findFirst().orElse(root.toString());
  }
}
