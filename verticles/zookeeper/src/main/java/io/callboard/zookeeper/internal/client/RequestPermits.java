package io.callboard.zookeeper.internal.client;

import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;

/**
 * Asynchronous semaphore: a fixed number of requests in flight, the others wait in their order, so
 * that large requests do not fill a connection that commits need too. Thread-safe.
 */
public final class RequestPermits {
  private final int most;
  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private int underWay;

  /** Creates permits for {@code most} requests in flight. */
  public RequestPermits(int most) {
    this.most = most;
  }

  /**
   * Runs {@code request} as soon as there is a permit; its future completes like that of the
   * request.
   */
  public <T> Future<T> pass(Supplier<Future<T>> request) {
    Promise<T> promise = Promise.promise();
    Runnable passage = () -> SafeStart.of(request).onComplete(done -> passed(promise, done));
    synchronized (this) {
      if (underWay == most) {
        waiting.addLast(passage);
        return promise.future();
      }
      underWay++;
    }
    passage.run();
    return promise.future();
  }

  private <T> void passed(Promise<T> promise, AsyncResult<T> result) {
    try {
      promise.handle(result);
    } finally {
      next();
    }
  }

  private void next() {
    Runnable passage;
    synchronized (this) {
      passage = waiting.pollFirst();
      if (passage == null) {
        underWay--;
        return;
      }
    }
    passage.run();
  }
}
