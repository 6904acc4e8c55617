package io.callboard.zookeeper.client;

import io.vertx.core.Future;
import java.util.function.Supplier;

/** Start of an asynchronous task that may throw instead of returning a future. */
final class SafeStart {
  private SafeStart() {}

  /** What {@code task} gives; fails with what it throws, errors too. */
  static <T> Future<T> of(Supplier<Future<T>> task) {
    try {
      return task.get();
    } catch (RuntimeException | Error e) {
      return Future.failedFuture(e);
    }
  }
}
