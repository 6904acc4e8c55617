package io.callboard.zookeeper;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** Runs tasks one after another, each begun when the future of the one before it completed. */
final class Lane {
  private final AtomicReference<Future<?>> last = new AtomicReference<>(Future.succeededFuture());

  <T> Future<T> run(Supplier<Future<T>> task) {
    Promise<T> done = Promise.promise();
    Future<?> before = last.getAndSet(done.future());
    before.onComplete(ended -> begin(task).onComplete(done));
    return done.future();
  }

  private static <T> Future<T> begin(Supplier<Future<T>> task) {
    try {
      return task.get();
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
  }
}
