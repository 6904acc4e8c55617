package io.callboard.internal.context;

import io.callboard.supervision.Failure;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/**
 * Timeout of the toolkit's own, as distinct from a {@link TimeoutException} of other code. It has
 * no stack, which would say nothing.
 */
public final class TimedOut extends TimeoutException {
  private static final long serialVersionUID = 1L;

  private TimedOut(String why) {
    super(why);
  }

  /** Returns the timeout of a turn. */
  static TimedOut turn(Duration limit) {
    return of("it did not end within %s ms".formatted(limit.toMillis()));
  }

  /** Returns the timeout of a handler that returned too late. */
  public static TimedOut returned(Duration limit, long nanos) {
    return of(
        "it held its thread for %d ms, the limit is %d ms"
            .formatted(nanos / 1_000_000, limit.toMillis()));
  }

  /** Returns the timeout of a start, or of another named part of a life. */
  public static TimedOut of(String why) {
    return new TimedOut(why);
  }

  /** Returns the kind of a handler's failure. */
  public static Failure.Kind ofTurn(Throwable cause) {
    return cause instanceof TimedOut ? Failure.Kind.OVERDUE : Failure.Kind.THROWN;
  }

  /** Returns the kind of a start's failure. */
  public static Failure.Kind ofStart(Throwable cause) {
    return cause instanceof TimedOut
        ? Failure.Kind.START_OVERDUE
        : cause instanceof TransientFailure ? Failure.Kind.INTERRUPTED : Failure.Kind.START;
  }

  /** Returns {@code INTERRUPTED} for a {@link TransientFailure}, else {@code kind}. */
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
