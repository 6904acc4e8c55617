package io.callboard.bench;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Actors that are started, sit there and are stopped. What is measured is how many a second are
 * started, until each has said so itself, and what each takes of the heap then.
 */
abstract class Crowd {
  static final Duration LIMIT = Duration.ofMinutes(5);
  private static final int UNDER_WAY = 10_000;

  private final LongAdder started = new LongAdder();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  /** Single operation. */
  interface Operation {
    Future<?> begin(int number);
  }

  /** Starts so many, and returns when they may still be starting. */
  abstract void spawn(int count) throws Exception;

  /** Stops them all, and returns when that is done. */
  abstract void disperse() throws Exception;

  /** Counts a start; called by each actor when it starts. */
  final void hasStarted() {
    started.increment();
  }

  /** Actors started a second. */
  final double rate(int count) throws Exception {
    long begun = System.nanoTime();
    gather(count);
    double rate = count * 1e9 / (System.nanoTime() - begun);
    disperse();
    return rate;
  }

  /** Bytes of the heap that each takes. */
  final double bytes(int count) throws Exception {
    long before = Heap.used();
    gather(count);
    long bytes = Heap.used() - before;
    disperse();
    return (double) bytes / count;
  }

  private void gather(int count) throws Exception {
    started.reset();
    spawn(count);
    Load.await("every actor started", LIMIT, () -> started.sum() >= count || failed());
    check();
    if (started.sum() != count) {
      throw new IllegalStateException(
          "%d actors were wanted, %d started".formatted(count, started.sum()));
    }
  }

  private boolean failed() {
    return failure.get() != null;
  }

  private void check() {
    if (failed()) {
      throw new IllegalStateException("an actor failed", failure.get());
    }
  }

  /**
   * Performs that many operations, a bounded number at a time, and waits until all have succeeded.
   */
  final void each(int count, Operation operation) throws Exception {
    Semaphore room = new Semaphore(UNDER_WAY);
    for (int i = 0; i < count && !failed(); i++) {
      take(room, 1);
      operation
          .begin(i)
          .onFailure(cause -> failure.compareAndSet(null, cause))
          .onComplete(done -> room.release());
    }
    take(room, UNDER_WAY);
    check();
  }

  private static void take(Semaphore room, int permits) throws Exception {
    if (!room.tryAcquire(permits, LIMIT.toSeconds(), TimeUnit.SECONDS)) {
      throw new TimeoutException("actors: not within %d s".formatted(LIMIT.toSeconds()));
    }
  }
}
