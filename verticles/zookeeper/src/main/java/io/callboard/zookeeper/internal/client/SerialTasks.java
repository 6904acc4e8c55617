package io.callboard.zookeeper.internal.client;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * Serial executor of asynchronous tasks: each starts when the future of the one before it has
 * completed. A task that throws fails its own future and holds up no other; neither does a handler
 * of that future that throws.
 */
public final class SerialTasks {
  private final AtomicReference<Future<Void>> last =
      new AtomicReference<>(Future.succeededFuture());

  /** Runs {@code task} after those before it; the future completes like that of the task. */
  public <T> Future<T> run(Supplier<Future<T>> task) {
    Promise<T> done = Promise.promise();
    Promise<Void> over = Promise.promise();
    last.getAndSet(over.future()).onComplete(before -> begin(task, done, over));
    return done.future();
  }

  private static <T> void begin(Supplier<Future<T>> task, Promise<T> done, Promise<Void> over) {
    SafeStart.of(task)
        .onComplete(
            result -> {
              try {
                done.handle(result);
              } finally {
                over.complete();
              }
            });
  }
}
