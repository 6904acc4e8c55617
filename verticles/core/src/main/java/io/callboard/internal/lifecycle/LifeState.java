package io.callboard.internal.lifecycle;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Start and stop state of one actor instance: at most one start and one stop; concurrent stops
 * share one future; resources are released once. Thread-safe; futures are completed outside of the
 * lock.
 */
final class LifeState {
  private final Supplier<? extends Throwable> stopped;
  private @Nullable Promise<Void> starting;
  private @Nullable Promise<Void> ending;
  private boolean isLate;
  private boolean isLeft;
  private volatile boolean over;

  /**
   * @param stopped the failure of a start that is ended
   */
  LifeState(Supplier<? extends Throwable> stopped) {
    this.stopped = stopped;
  }

  /**
   * Begins a start.
   *
   * @return completes with the end of the start
   */
  synchronized Future<Void> starts() {
    Promise<Void> started = Promise.promise();
    starting = started;
    return started.future();
  }

  /** Returns whether the end has begun, or the life was left behind. */
  boolean isOver() {
    return over;
  }

  /** Returns the promise of a start that succeeded; null if it was given up or ended before. */
  synchronized @Nullable Promise<Void> up() {
    Promise<Void> started = starting;
    starting = null;
    return started;
  }

  /**
   * Begins the end of a life; null if it has begun already, see {@link #ended()}.
   *
   * @return to be completed when nothing is left
   */
  synchronized @Nullable Promise<Void> beginEnd() {
    return ending == null ? end(null) : null;
  }

  /** Completes when nothing is left; at once if no end has begun. */
  synchronized Future<Void> ended() {
    return ending == null ? Future.succeededFuture() : ending.future();
  }

  /**
   * Ends the life, or goes on with an end that has begun.
   *
   * @param why the failure of a start under way, which it gets when nothing is left; null if it was
   *     stopped
   * @return to be completed when nothing is left
   */
  Promise<Void> end(@Nullable Throwable why) {
    Promise<Void> started;
    Promise<Void> ended;
    synchronized (this) {
      over = true;
      ended = ending == null ? Promise.promise() : ending;
      ending = ended;
      started = starting;
      starting = null;
    }
    if (started != null) {
      Throwable cause = why == null ? stopped.get() : why;
      ended.future().onComplete(done -> started.fail(cause));
    }
    return ended;
  }

  /** Ends a start under way, like {@link #end}; null if there is none. */
  synchronized @Nullable Promise<Void> giveUpStart(@Nullable Throwable why) {
    return starting == null ? null : end(why);
  }

  /**
   * Fails a start under way at once, before its end, which {@link #late()} waits for.
   *
   * @return whether there was a start
   */
  boolean failStart(Throwable why) {
    Promise<Void> started;
    synchronized (this) {
      started = starting;
      if (started == null) {
        return false;
      }
      starting = null;
      isLate = true;
      over = true;
      ending = Promise.promise();
    }
    started.fail(why);
    return true;
  }

  /**
   * Returns the promise to be completed when nothing is left of a start that failed before its end;
   * null if there is none, or it was taken before.
   */
  synchronized @Nullable Promise<Void> late() {
    Promise<Void> late = isLate ? ending : null;
    isLate = false;
    return late;
  }

  /**
   * Releases what the life held, or leaves it behind.
   *
   * @return whether this call was the first
   */
  synchronized boolean leave() {
    boolean first = !isLeft;
    isLeft = true;
    return first;
  }
}
