package io.callboard.zookeeper.internal.client;

import io.vertx.core.Future;
import java.util.function.Supplier;

/** Start of an asynchronous task that may throw instead of returning a future. */
final class SafeStart {
  private SafeStart() {}

  /** Returns the future of {@code task}, which fails with what the task throws, errors included. */
  static <T> Future<T> of(Supplier<Future<T>> task) {
    try {
      return task.get();
    } catch (RuntimeException | Error e) {
      return Future.failedFuture(e);
    }
  }
}
