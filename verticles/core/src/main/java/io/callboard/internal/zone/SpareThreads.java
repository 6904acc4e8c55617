package io.callboard.internal.zone;

import io.callboard.supervision.Causes;
import io.callboard.zone.ZoneOptions;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Spare threads of a zone, for work that its own threads cannot do; made on demand, and ended after
 * some idle time, their grace. They are never shut down, so that they take what comes after the
 * zone's end, too; from then on, when nobody looks after the zone any more, a thread is added
 * whenever those that there are were stuck for as long and something waited.
 */
final class SpareThreads implements ZoneThreads {
  private static final Logger log = LoggerFactory.getLogger(SpareThreads.class);

  /** Time for which they may be idle, and be stuck, unless a test gives another. */
  static final Duration GRACE = Duration.ofSeconds(1);

  private final String name;
  private final ThreadPoolExecutor threads;
  private final Executor later;
  private final Set<Thread> alive = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean watched = new AtomicBoolean();
  private volatile boolean ended;

  /**
   * @param name of the zone's threads
   * @param max the most threads
   * @param queue the queue before them; a task that it refuses is rejected
   * @param grace time for which they are idle before they end, and stuck before another is added
   */
  SpareThreads(String name, int max, BlockingQueue<Runnable> queue, Duration grace) {
    this.name = name;
    this.later =
        CompletableFuture.delayedExecutor(grace.toNanos(), TimeUnit.NANOSECONDS, Runnable::run);
    AtomicInteger made = new AtomicInteger();
    threads =
        new ThreadPoolExecutor(
            queue.remainingCapacity() == 0 ? 0 : max,
            max,
            grace.toNanos(),
            TimeUnit.NANOSECONDS,
            queue,
            task -> {
              Thread thread =
                  new Thread(() -> run(task), name + "-spare-" + made.getAndIncrement());
              thread.setDaemon(true);
              return thread;
            });
    if (threads.getCorePoolSize() > 0) {
      threads.allowCoreThreadTimeOut(true);
    }
  }

  private void run(Runnable work) {
    alive.add(Thread.currentThread());
    try {
      work.run();
    } finally {
      alive.remove(Thread.currentThread());
    }
  }

  @Override
  public void carry(Task task) {
    execute(task);
  }

  /** Runs {@code work} later; once there is a thread for it, if it can be queued. */
  void execute(Runnable work) {
    try {
      threads.execute(work);
    } catch (OutOfMemoryError e) { // no more threads, says the operating system
      if (!threads.getQueue().offer(work)) {
        throw e;
      }
      log.error(
          "{}: no thread can be made for what waits; it is run with what comes next",
          name,
          Causes.readable(e));
    }
    watch();
  }

  /**
   * Looks, once the grace is over, whether what waits has been begun: nobody else does after the
   * zone's end.
   */
  private void watch() {
    if (ended && !threads.getQueue().isEmpty() && watched.compareAndSet(false, true)) {
      long done = threads.getCompletedTaskCount();
      later.execute(() -> look(done));
    }
  }

  private void look(long doneBefore) {
    watched.set(false);
    int size = threads.getMaximumPoolSize();
    if (threads.getQueue().isEmpty() || threads.getCompletedTaskCount() > doneBefore) {
      watch();
    } else if (size < ZoneOptions.MAX_SIZE) {
      log.warn(
          "{}: tasks wait while {} threads are stuck, another thread is added: {} after the end of"
              + " the zone",
          name,
          threads.getPoolSize(),
          threads.getQueue().size());
      grow(size + 1);
      watch();
    } else {
      log.error(
          "{}: {} tasks are never run: all threads are stuck", name, threads.getQueue().size());
    }
  }

  private void grow(int size) {
    try {
      threads.setMaximumPoolSize(size);
      threads.setCorePoolSize(size);
      int unused = threads.prestartAllCoreThreads();
    } catch (OutOfMemoryError e) { // for the next look
      log.debug("no more threads, says the operating system", Causes.readable(e));
    }
  }

  @Override
  public int threads() {
    return threads.getPoolSize();
  }

  /** Interrupts its threads, which end when they are idle, as always, and are watched from now. */
  @Override
  public void end() {
    ended = true;
    for (Thread thread : alive) {
      if (thread != Thread.currentThread()) {
        thread.interrupt();
      }
    }
    watch();
  }
}
