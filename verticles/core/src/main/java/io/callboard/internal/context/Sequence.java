package io.callboard.internal.context;

import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sequence of asynchronous steps, each begun when the one before has completed. It is a loop: a
 * million steps need no more stack than two, whether they complete at once or later, as chains of
 * {@code compose} would. Thread-safe.
 */
public final class Sequence {
  private final Supplier<? extends @Nullable Future<?>> next;
  private final Promise<Void> done = Promise.promise();

  /** Completed steps that were not followed by the next one yet. */
  private final AtomicInteger ended = new AtomicInteger();

  private Sequence(Supplier<? extends @Nullable Future<?>> next) {
    this.next = next;
  }

  /**
   * Runs steps until there is none, or one fails.
   *
   * @param next begins the next step; null if there is none. It is called on the thread that
   *     completed the step before, never twice at a time
   * @return completes after the last step; fails with the failure of the first that fails
   */
  public static Future<Void> of(Supplier<? extends @Nullable Future<?>> next) {
    Sequence sequence = new Sequence(next);
    sequence.goOn();
    return sequence.done.future();
  }

  private void goOn() {
    if (ended.getAndIncrement() > 0) {
      return; // the loop that runs takes this one, too
    }
    do {
      Future<?> step;
      try {
        step = next.get();
      } catch (RuntimeException | Error e) {
        done.fail(e);
        return;
      }
      if (step == null) {
        done.complete();
        return;
      }
      step.onComplete(this::completed);
    } while (ended.decrementAndGet() > 0);
  }

  private void completed(AsyncResult<?> step) {
    if (step.succeeded()) {
      goOn();
    } else {
      done.fail(step.cause());
    }
  }
}
