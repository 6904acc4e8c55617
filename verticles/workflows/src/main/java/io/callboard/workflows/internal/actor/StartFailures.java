package io.callboard.workflows.internal.actor;

import io.callboard.Callboard;
import io.callboard.CallboardException;
import io.callboard.supervision.Failure;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Explains questions that were not answered because their actor cannot start. */
public final class StartFailures {
  private StartFailures() {}

  /**
   * Returns a future that fails with the reason why an actor could not start, on whichever node, or
   * with {@code cause} if that reason is not known.
   *
   * @param path of the actor
   * @param what is stored there, in words
   * @param asked for how long it was asked
   * @param cause how that ended
   */
  public static <T> Future<T> explain(
      Callboard callboard, String path, String what, Duration asked, Throwable cause) {
    boolean silent =
        cause instanceof CallboardException e && e.code() == CallboardException.Code.TIMEOUT;
    if (!silent) {
      return Future.failedFuture(cause);
    }
    Instant since = callboard.time().clock().instant().minus(asked);
    return callboard
        .admin()
        .failures(path)
        .otherwise(List.of()) // its silence is all that is known
        .compose(
            failures -> {
              Failure last = failures.isEmpty() ? null : failures.get(failures.size() - 1);
              return Future.failedFuture(
                  last == null || last.kind() != Failure.Kind.START || startedSince(last, since)
                      ? cause
                      : new CallboardException(
                          CallboardException.Code.UNAVAILABLE,
                          "%s cannot be read: its actor %s cannot start: %s"
                              .formatted(what, path, last.cause()),
                          cause));
            });
  }

  /** Returns whether its next start was before a time, so that it had succeeded. */
  private static boolean startedSince(Failure failure, Instant since) {
    Duration delay = failure.delay() == null ? Duration.ZERO : failure.delay();
    return failure.at().plus(delay).isBefore(since);
  }
}
