package io.callboard.bench;

import io.callboard.jobs.Jobs;
import io.callboard.jobs.model.JobSpec;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Submission of many jobs, and how long each of them took to be durable. */
final class Submitting {
  private static final int LIMIT_S = 300;

  private final Jobs jobs;
  private final IntFunction<JobSpec> spec;
  private final Latencies latencies = new Latencies();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  /**
   * @param spec the job of a number
   */
  Submitting(Jobs jobs, IntFunction<JobSpec> spec) {
    this.jobs = jobs;
    this.spec = spec;
  }

  /**
   * Submits jobs as fast as they are accepted.
   *
   * @param parallel submissions under way at once
   * @return accepted jobs in a second
   */
  double flood(int count, int parallel) throws Exception {
    Semaphore room = new Semaphore(parallel);
    long begun = System.nanoTime();
    for (int i = 0; i < count; i++) {
      take(room, 1);
      submit(i, room);
    }
    take(room, parallel);
    return count / ((System.nanoTime() - begun) / 1e9);
  }

  /** Submits jobs at a pace, however long each takes. */
  void paced(int count, int perSecond) throws Exception {
    Semaphore room = new Semaphore(count);
    long begun = System.nanoTime();
    for (int i = 0; i < count; i++) {
      long due = begun + i * TimeUnit.SECONDS.toNanos(1) / perSecond;
      long wait = due - System.nanoTime();
      if (wait > 0) {
        TimeUnit.NANOSECONDS.sleep(wait);
      }
      take(room, 1);
      submit(i, room);
    }
    take(room, count);
  }

  private void submit(int number, Semaphore room) {
    long asked = System.nanoTime();
    jobs.submit(spec.apply(number))
        .onComplete(
            done -> {
              synchronized (latencies) {
                latencies.add(System.nanoTime() - asked);
              }
              if (done.failed()) {
                failure.set(done.cause());
              }
              room.release();
            });
  }

  private void take(Semaphore room, int permits) throws Exception {
    if (!room.tryAcquire(permits, LIMIT_S, TimeUnit.SECONDS)) {
      throw new IllegalStateException("no submission was answered for %d s".formatted(LIMIT_S));
    }
    Throwable failed = failure.get();
    if (failed != null) {
      throw new IllegalStateException("a job was not accepted", failed);
    }
  }

  /** Returns the quantiles of the given parts of all answers, in milliseconds. */
  double[] millis(double... parts) {
    synchronized (latencies) {
      double[] values = latencies.micros(parts);
      for (int i = 0; i < values.length; i++) {
        values[i] /= 1e3;
      }
      return values;
    }
  }
}
