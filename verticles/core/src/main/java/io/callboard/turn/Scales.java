package io.callboard.turn;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;

/**
 * Begins tasks in their order, so many at once as their weights together allow; one that is heavier
 * than that goes alone. On one context, where the futures of the tasks complete, too.
 */
final class Scales {
  private final long most;
  private final Deque<Load> waiting = new ArrayDeque<>();
  private long weight;
  private long waitingWeight;

  private record Load(long weight, Runnable begin) {}

  Scales(long most) {
    this.most = most;
  }

  <T> Future<T> run(long taskWeight, Supplier<Future<T>> task) {
    Promise<T> promise = Promise.promise();
    waitingWeight += taskWeight;
    waiting.addLast(
        new Load(
            taskWeight,
            () ->
                task.get()
                    .onComplete(
                        done -> {
                          weight -= taskWeight;
                          promise.handle(done);
                          next();
                        })));
    next();
    return promise.future();
  }

  private void next() {
    for (Load first = waiting.peekFirst();
        first != null && (weight == 0 || weight + first.weight() <= most);
        first = waiting.peekFirst()) {
      waiting.remove();
      waitingWeight -= first.weight();
      weight += first.weight();
      first.begin().run();
    }
  }

  /** Of those that have not ended. */
  long weight() {
    return weight + waitingWeight;
  }
}
