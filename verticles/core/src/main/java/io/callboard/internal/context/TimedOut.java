package io.callboard.internal.context;

import io.callboard.supervision.Failure;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/**
 * A timeout of the toolkit's own, which tells it from what merely fails like that. It has no stack:
 * where the time was over says nothing.
 */
public final class TimedOut extends TimeoutException {
  private static final long serialVersionUID = 1L;

  private TimedOut(String why) {
    super(why);
  }

  /** A turn. */
  static TimedOut turn(Duration limit) {
    return of("it did not end within %s ms".formatted(limit.toMillis()));
  }

  /** A handler that has returned, too late. */
  public static TimedOut returned(Duration limit, long nanos) {
    return of(
        "it held its thread for %d ms, and is to end within %d ms"
            .formatted(nanos / 1_000_000, limit.toMillis()));
  }

  /** A start, or something else of a life that has a name. */
  public static TimedOut of(String why) {
    return new TimedOut(why);
  }

  /** Of a failure of a handler. */
  public static Failure.Kind ofTurn(Throwable cause) {
    return cause instanceof TimedOut ? Failure.Kind.OVERDUE : Failure.Kind.THROWN;
  }

  /** Of a failure of a start. */
  public static Failure.Kind ofStart(Throwable cause) {
    return cause instanceof TimedOut
        ? Failure.Kind.START_OVERDUE
        : cause instanceof TransientFailure ? Failure.Kind.INTERRUPTED : Failure.Kind.START;
  }

  /** Of any failure that ends a life, unless it was interrupted. */
  public static Failure.Kind unlessInterrupted(Failure.Kind kind, Throwable cause) {
    return cause instanceof TransientFailure ? Failure.Kind.INTERRUPTED : kind;
  }

  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }

  @Override
  public String toString() {
    return TimeoutException.class.getName() + ": " + getMessage();
  }
}
