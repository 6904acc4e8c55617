package io.callboard.internal.context;

import io.callboard.supervision.Failure;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/** What took longer than it may; tells it from what merely fails like that. */
public interface TimedOut {

  /** A turn. It has no stack: where its time was over says nothing. */
  static TimeoutException turn(Duration limit) {
    return new Turn("it did not end within %s ms".formatted(limit.toMillis()));
  }

  /** A handler that has returned, too late. */
  static TimeoutException returned(Duration limit, long nanos) {
    return new Turn(
        "it held its thread for %d ms, and is to end within %d ms"
            .formatted(nanos / 1_000_000, limit.toMillis()));
  }

  /** A start, or something else of a life that has a name. */
  static IllegalStateException of(String why) {
    return new Part(why);
  }

  /** Of a failure of a handler. */
  static Failure.Kind ofTurn(Throwable cause) {
    return cause instanceof TimedOut ? Failure.Kind.OVERDUE : Failure.Kind.THROWN;
  }

  /** Of a failure of a start. */
  static Failure.Kind ofStart(Throwable cause) {
    return cause instanceof TimedOut
        ? Failure.Kind.START_OVERDUE
        : cause instanceof TransientFailure ? Failure.Kind.INTERRUPTED : Failure.Kind.START;
  }

  /** Of any failure that ends a life, unless it was interrupted. */
  static Failure.Kind unlessInterrupted(Failure.Kind kind, Throwable cause) {
    return cause instanceof TransientFailure ? Failure.Kind.INTERRUPTED : kind;
  }

  /** A turn that is overdue. */
  final class Turn extends TimeoutException implements TimedOut {
    private static final long serialVersionUID = 1L;

    private Turn(String why) {
      super(why);
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

  /** A part of a life that is overdue. */
  final class Part extends IllegalStateException implements TimedOut {
    private static final long serialVersionUID = 1L;

    private Part(String why) {
      super(why);
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
      return this;
    }

    @Override
    public String toString() {
      return IllegalStateException.class.getName() + ": " + getMessage();
    }
  }
}
