package io.callboard.zookeeper;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;

/**
 * Lets so many requests through at once, the others in their order, so that large ones do not fill
 * a connection that commits need too. Thread-safe.
 */
final class Narrows {
  private final int most;
  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private int underWay;

  Narrows(int most) {
    this.most = most;
  }

  <T> Future<T> pass(Supplier<Future<T>> request) {
    Promise<T> promise = Promise.promise();
    Runnable passage = () -> begin(request).onComplete(promise).onComplete(done -> next());
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

  private static <T> Future<T> begin(Supplier<Future<T>> request) {
    try {
      return request.get();
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
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
