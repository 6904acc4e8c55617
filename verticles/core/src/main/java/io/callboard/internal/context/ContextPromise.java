package io.callboard.internal.context;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Promise whose future completes in its context, whichever thread completes it: the outcome is set
 * and the callbacks run in one go there. A promise of Vert.x takes the outcome from any thread and
 * hands only the callbacks over, so that a turn which sees the outcome in between would end without
 * them.
 *
 * @param <T> type of the result
 */
public final class ContextPromise<T> implements Promise<T> {
  private final ContextInternal context;
  private final Promise<T> there;
  private final AtomicBoolean ended = new AtomicBoolean();

  public ContextPromise(ContextInternal context) {
    this.context = context;
    this.there = context.promise();
  }

  /**
   * {@inheritDoc}
   *
   * @throws java.util.concurrent.RejectedExecutionException if the context takes no tasks any more
   */
  @Override
  public boolean tryComplete(T result) {
    return end(() -> there.complete(result));
  }

  /**
   * {@inheritDoc}
   *
   * @throws java.util.concurrent.RejectedExecutionException if the context takes no tasks any more
   */
  @Override
  public boolean tryFail(Throwable cause) {
    return end(() -> there.fail(cause));
  }

  private boolean end(Runnable outcome) {
    if (!ended.compareAndSet(false, true)) {
      return false;
    }
    if (context.inThread()) {
      outcome.run();
    } else {
      context.runOnContext(v -> outcome.run());
    }
    return true;
  }

  @Override
  public Future<T> future() {
    return there.future();
  }
}
