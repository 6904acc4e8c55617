package io.callboard.internal.lifecycle;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The one start and the one end of a life, whoever asks for them when: a start that is under way
 * comes up, or is ended; of many ends there is one; and what the life held is given back once.
 * Thread-safe; what it completes is completed outside of its lock.
 */
final class LifeState {
  private final Supplier<? extends Throwable> stopped;
  private @Nullable Promise<Void> starting;
  private @Nullable Promise<Void> ending;
  private boolean isLate;
  private boolean isLeft;
  private volatile boolean over;

  /**
   * @param stopped what a start fails with that is ended
   */
  LifeState(Supplier<? extends Throwable> stopped) {
    this.stopped = stopped;
  }

  /** The end of the start that begins now. */
  synchronized Future<Void> starts() {
    Promise<Void> started = Promise.promise();
    starting = started;
    return started.future();
  }

  /** Whether its end has begun, or it is left. */
  boolean isOver() {
    return over;
  }

  /** What waits for the start that succeeded; null if it was given up or ended before. */
  synchronized @Nullable Promise<Void> up() {
    Promise<Void> started = starting;
    starting = null;
    return started;
  }

  /**
   * Begins the end of a life; null if one has begun already, see {@link #ended()}.
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
   * It is over.
   *
   * @param why a start that is under way fails with it, in the end; null if it was stopped
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

  /** The same for a start that is under way; null if none is. */
  synchronized @Nullable Promise<Void> giveUpStart(@Nullable Throwable why) {
    return starting == null ? null : end(why);
  }

  /**
   * A start that is under way fails at once, though its end cannot come yet; whether one did. What
   * is left of it is waited for, see {@link #late()}.
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
   * To be completed when nothing is left of a start that failed before its end; null if there is
   * none, or this was called before.
   */
  synchronized @Nullable Promise<Void> late() {
    Promise<Void> late = isLate ? ending : null;
    isLate = false;
    return late;
  }

  /** What it held is given back, or left behind; whether that is new. */
  synchronized boolean leave() {
    boolean first = !isLeft;
    isLeft = true;
    return first;
  }
}
