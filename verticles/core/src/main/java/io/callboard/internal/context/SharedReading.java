package io.callboard.internal.context;

import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.ref.SoftReference;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reading that is kept for a while: a new one begins when somebody asks and the last one is too
 * old, and all who ask meanwhile share it. One that fails is not kept, and one that nobody asks for
 * again is given up where memory is scarce. Thread-safe.
 *
 * @param <T> what is read; nobody may change it
 */
public final class SharedReading<T> {
  private final LongSupplier nanoTime;
  private final Supplier<Future<T>> source;
  private final UnaryOperator<Duration> kept;
  private @Nullable SoftReference<T> last;
  private @Nullable Future<T> underWay;
  private long dueNanos;

  /**
   * Creates one that was never read.
   *
   * @param source begins a reading; it may throw instead
   * @param kept returns for how long a reading that took so long is kept
   */
  public SharedReading(
      LongSupplier nanoTime, Supplier<Future<T>> source, UnaryOperator<Duration> kept) {
    this.nanoTime = nanoTime;
    this.source = source;
    this.kept = kept;
  }

  /**
   * Completes with the last reading, or with a new one if that is due; on any thread. Fails as the
   * source does.
   */
  public Future<T> read() {
    Promise<T> begun = Promise.promise();
    long began;
    synchronized (this) {
      began = nanoTime.getAsLong();
      T present = last == null ? null : last.get();
      if (underWay != null) {
        return underWay;
      } else if (present != null && began - dueNanos < 0) {
        return Future.succeededFuture(present);
      }
      underWay = begun.future();
    }
    begun.future().onComplete(read -> ended(read, began));
    try {
      source.get().onComplete(begun);
    } catch (RuntimeException e) { // as when the Vert.x has closed
      begun.fail(e);
    }
    return begun.future();
  }

  /**
   * Gives up the last reading if a new one is due, so that nobody would get it any more. For who
   * looks after what is large.
   *
   * @return whether there is one still
   */
  public synchronized boolean release() {
    if (last != null && nanoTime.getAsLong() - dueNanos >= 0) {
      last = null;
    }
    return last != null;
  }

  private synchronized void ended(AsyncResult<T> read, long began) {
    underWay = null;
    if (read.succeeded()) {
      long now = nanoTime.getAsLong();
      last = new SoftReference<>(read.result());
      dueNanos = now + kept.apply(Duration.ofNanos(now - began)).toNanos();
    }
  }
}
