package io.callboard.internal.context;

import io.callboard.time.Time;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Something that may take only so long. */
public final class Timeouts {
  private Timeouts() {}

  /**
   * What becomes of {@code future}; fails with {@link TimeoutException} when the time is over
   * before.
   *
   * @param what it is, for the message
   * @param limit that the message tells
   * @param left of that
   */
  public static Future<?> named(
      String what, Duration limit, Duration left, Future<?> future, Time time, Context context) {
    return within(
        left,
        () -> TimedOut.of("the %s did not end within %d ms".formatted(what, limit.toMillis())),
        future,
        time,
        context);
  }

  /**
   * What becomes of {@code future}; fails with {@link TimeoutException} when the time is over
   * before. The future itself goes on.
   */
  public static <T> Future<T> within(Duration limit, Future<T> future, Time time, Context context) {
    return within(limit, () -> TimedOut.turn(limit), future, time, context);
  }

  private static <T> Future<T> within(
      Duration limit, Supplier<Throwable> late, Future<T> future, Time time, Context context) {
    if (future.isComplete()) {
      return future;
    }
    Promise<T> first = Promise.promise();
    Time.Alarm alarm =
        time.after(
            context,
            limit,
            () -> {
              boolean unused = first.tryFail(late.get());
            });
    future.onComplete(
        done -> {
          alarm.cancel();
          boolean unused =
              done.succeeded() ? first.tryComplete(done.result()) : first.tryFail(done.cause());
        });
    return first.future();
  }
}
