package io.callboard.internal.context;

import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;

/**
 * Limiter of asynchronous tasks: runs them in order while the weights of those running stay below a
 * limit; a task heavier than the limit runs alone. Tasks that nobody waits for have an order of
 * their own: they and the others begin by turns, so that however many there are, the others wait
 * for a few of them only. Used on one context, where the futures of the tasks complete, too.
 */
public final class WeightedLimiter {
  private final long most;
  private final Deque<Load> waiting = new ArrayDeque<>();
  private final Deque<Load> waitingBehind = new ArrayDeque<>();
  private long weight;
  private long waitingWeight;
  private boolean beginning;
  private boolean behindIsNext;

  private record Load(long weight, Runnable begin) {}

  public WeightedLimiter(long most) {
    this.most = most;
  }

  public <T> Future<T> run(long taskWeight, Supplier<Future<T>> task) {
    return run(waiting, taskWeight, task);
  }

  /** Runs a task that nobody waits for. */
  public <T> Future<T> runBehind(long taskWeight, Supplier<Future<T>> task) {
    return run(waitingBehind, taskWeight, task);
  }

  private <T> Future<T> run(Deque<Load> order, long taskWeight, Supplier<Future<T>> task) {
    Promise<T> promise = Promise.promise();
    waitingWeight += taskWeight;
    order.addLast(
        new Load(
            taskWeight, () -> begun(task).onComplete(done -> ended(taskWeight, promise, done))));
    next();
    return promise.future();
  }

  private static <T> Future<T> begun(Supplier<Future<T>> task) {
    try {
      return task.get();
    } catch (RuntimeException | Error e) {
      return Future.failedFuture(e);
    }
  }

  private <T> void ended(long taskWeight, Promise<T> promise, AsyncResult<T> result) {
    weight -= taskWeight;
    try {
      promise.handle(result);
    } finally {
      next();
    }
  }

  /**
   * Begins the tasks that there is room for. A loop, so that tasks that end at once do not nest.
   */
  private void next() {
    if (beginning) {
      return;
    }
    beginning = true;
    try {
      while (hasRoom()) {
        Deque<Load> order = order();
        Load first = order.removeFirst();
        behindIsNext = order == waiting;
        waitingWeight -= first.weight();
        weight += first.weight();
        first.begin().run();
      }
    } finally {
      beginning = false;
      if (hasRoom()) { // whoever waited for a task threw
        next();
      }
    }
  }

  /** Returns the order of which a task begins next. */
  private Deque<Load> order() {
    return waitingBehind.isEmpty() || (!behindIsNext && !waiting.isEmpty())
        ? waiting
        : waitingBehind;
  }

  private boolean hasRoom() {
    Load first = order().peekFirst();
    return first != null && (weight == 0 || weight + first.weight() <= most);
  }

  /** Returns the sum of the weights of the tasks that have not ended. */
  public long weight() {
    return weight + waitingWeight;
  }
}
