package io.callboard.internal.context;

import io.callboard.time.Time;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Time limits for futures. */
public final class Timeouts {
  private Timeouts() {}

  /**
   * Returns the outcome of {@code future}, or a {@link TimeoutException} when {@code left} has
   * passed before.
   *
   * @param what the subject of the message
   * @param limit the limit that the message names
   * @param left the part of the limit that is left
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
   * Completes with the outcome of {@code future}, or a {@link TimeoutException} when {@code limit}
   * has passed before. The future itself goes on.
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
