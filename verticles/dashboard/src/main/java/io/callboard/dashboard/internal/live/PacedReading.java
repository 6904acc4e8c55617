package io.callboard.dashboard.internal.live;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reading of all actors on a worker thread: the last one is returned for a hundred times as long as
 * it took, so that readings use a hundredth of one thread. Used on one context only.
 */
final class PacedReading<T> implements Supplier<Future<T>> {
  private static final int SHARE = 100;
  private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final Vertx vertx;
  private final LongSupplier nanoTime;
  private final Supplier<Future<T>> source;
  private @Nullable Future<T> last;
  private long dueNanos;

  PacedReading(Vertx vertx, LongSupplier nanoTime, Supplier<Future<T>> source) {
    this.vertx = vertx;
    this.nanoTime = nanoTime;
    this.source = source;
  }

  @Override
  public Future<T> get() {
    Future<T> before = last;
    if (before != null && before.succeeded() && nanoTime.getAsLong() - dueNanos < 0) {
      return before;
    }
    long began = nanoTime.getAsLong();
    Future<T> reading = vertx.executeBlocking(source::get, false).compose(read -> read);
    last = reading;
    return reading.onComplete(done -> dueNanos = dueNanos(began, nanoTime.getAsLong()));
  }

  /** Returns when the reading after one with these times is due. */
  static long dueNanos(long began, long ended) {
    return ended + Math.min(LONGEST_NANOS, SHARE * (ended - began));
  }
}
