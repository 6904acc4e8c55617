package io.callboard.turn;

import io.callboard.Time;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/** Something that may take only so long. */
final class Bounded {
  private Bounded() {}

  /**
   * What becomes of {@code future}; fails with {@link TimeoutException} when the time is over
   * before. The future itself goes on.
   */
  static <T> Future<T> within(Duration limit, Future<T> future, Time time, Context context) {
    if (future.isComplete()) {
      return future;
    }
    Promise<T> first = Promise.promise();
    Time.Alarm alarm =
        time.after(
            context,
            limit,
            () -> {
              boolean unused =
                  first.tryFail(
                      new TimeoutException(
                          "it did not end within %s ms".formatted(limit.toMillis())));
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
