package io.callboard.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Contender of {@link WorkflowThroughput}: runs instances of {@link TenSteps}, so many of them
 * under way at a time. An instance counts when its end is durable.
 */
abstract class WorkflowRunner implements AutoCloseable {
  /** Instances under way at a time, enough for all contenders to be busy. */
  static final int UNDER_WAY = 512;

  /** Threads that begin instances, for contenders whose calls block. */
  static final int THREADS = 32;

  private static final Duration LIMIT = Duration.ofMinutes(10);

  private final ExecutorService beginners = Executors.newFixedThreadPool(THREADS);
  private final Semaphore room = new Semaphore(UNDER_WAY);
  private final AtomicLong ended = new AtomicLong();

  /**
   * Begins an instance. {@link #ended()} is called once its end is durable, or {@link
   * #awaitDurable} knows better.
   */
  abstract void begin() throws Exception;

  /**
   * Waits until the ends of so many instances are durable, for a contender that records them
   * earlier.
   */
  void awaitDurable(long instances) throws Exception {
    // they are
  }

  /** Fails unless the store says that all instances of this contender have ended, so many. */
  abstract void check(long instances) throws Exception;

  /** Records the end of an instance. Any thread. */
  final void ended() {
    ended.incrementAndGet();
    room.release();
  }

  /** Returns the instances in a second, from the first begin until the end of all is durable. */
  final double run(int count) throws Exception {
    long target = ended.get() + count;
    AtomicInteger left = new AtomicInteger(count);
    long begun = System.nanoTime();
    List<Future<?>> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      threads.add(
          beginners.submit(
              () -> {
                while (left.getAndDecrement() > 0) {
                  take();
                  begin();
                }
                return null;
              }));
    }
    for (Future<?> thread : threads) {
      var unused = thread.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }
    Load.await("the end of each instance", LIMIT, () -> ended.get() >= target);
    awaitDurable(target);
    double rate = count / ((System.nanoTime() - begun) / 1e9);
    check(target);
    return rate;
  }

  private void take() throws InterruptedException {
    if (!room.tryAcquire(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
      throw new IllegalStateException("no instance has ended within " + LIMIT);
    }
  }

  @Override
  public void close() throws Exception {
    var unused = beginners.shutdownNow();
  }
}
