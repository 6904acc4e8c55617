package io.callboard.archive;

import io.callboard.supervision.Causes;
import io.callboard.time.Time;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Retry of an attempt to open something that needs a database which cannot be reached, so that a
 * node can start meanwhile and is complete when the database is back. Any other failure, such as a
 * wrong password, is final.
 */
final class Patience {
  private static final Logger log = LoggerFactory.getLogger(Patience.class);
  private static final Duration AGAIN = Duration.ofSeconds(2);

  /** SQL states: no connection, and a server that starts or stops. */
  private static final String NO_CONNECTION = "08";

  private static final String OPERATOR = "57P";

  private final Vertx vertx;
  private final long limitNanos;
  private final Time time;
  private final long begunNanos;

  /**
   * Starts the time limit.
   *
   * @param limit time after which the last failure is the result
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
                  Causes.rootMessage(cause));
              return time.pause(vertx.getOrCreateContext(), AGAIN).compose(v -> open(attempt));
            });
  }

  /** Returns whether the database cannot be reached now, but may be later. */
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
}
