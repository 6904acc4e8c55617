package io.callboard.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Peer of {@link OurJobs}: a scheduler that keeps its jobs in PostgreSQL. */
abstract class JobPeer implements AutoCloseable {
  /** Threads that submit, and threads that run jobs. */
  static final int THREADS = 32;

  private static final int LIMIT_S = 300;

  private final ExecutorService submitters = Executors.newFixedThreadPool(THREADS);

  /** Submits a job with a number; returns when it is durable. */
  abstract void submit(long number) throws Exception;

  /** Returns how many jobs have ended, by the database. */
  abstract long ended() throws Exception;

  /** Returns the jobs in a second, from the first submission until the end of all is durable. */
  final double run(int count) throws Exception {
    long target = ended() + count;
    AtomicInteger left = new AtomicInteger(count);
    long begun = System.nanoTime();
    List<Future<?>> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      threads.add(
          submitters.submit(
              () -> {
                for (int n = left.decrementAndGet(); n >= 0; n = left.decrementAndGet()) {
                  submit(n);
                }
                return null;
              }));
    }
    for (Future<?> thread : threads) {
      var unused = thread.get(LIMIT_S, TimeUnit.SECONDS);
    }
    long deadline = begun + TimeUnit.SECONDS.toNanos(LIMIT_S);
    while (ended() < target) {
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException(
            "%d jobs have not ended within %d s".formatted(target - ended(), LIMIT_S));
      }
      TimeUnit.MILLISECONDS.sleep(5);
    }
    return count / ((System.nanoTime() - begun) / 1e9);
  }

  @Override
  public void close() throws Exception {
    submitters.shutdownNow();
  }
}
