package io.callboard.internal.zone;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Spare threads of a zone, for work that its own threads cannot do; made on demand, and ended after
 * one idle second.
 */
final class SpareThreads implements ZoneThreads {
  private final ThreadPoolExecutor threads;

  /**
   * @param name of the zone's threads
   * @param max the most threads
   * @param queue the queue before them; a task that it refuses is rejected
   */
  SpareThreads(String name, int max, BlockingQueue<Runnable> queue) {
    AtomicInteger made = new AtomicInteger();
    threads =
        new ThreadPoolExecutor(
            queue.remainingCapacity() == 0 ? 0 : max,
            max,
            1,
            TimeUnit.SECONDS,
            queue,
            task -> {
              Thread thread = new Thread(task, name + "-spare-" + made.getAndIncrement());
              thread.setDaemon(true);
              return thread;
            });
    if (threads.getCorePoolSize() > 0) {
      threads.allowCoreThreadTimeOut(true);
    }
  }

  @Override
  public void carry(Task task) {
    threads.execute(task);
  }

  @Override
  public int threads() {
    return threads.getPoolSize();
  }

  @Override
  public void end() {
    var unused = threads.shutdownNow();
  }

  @Override
  public boolean isEnded() {
    return threads.isShutdown();
  }
}
