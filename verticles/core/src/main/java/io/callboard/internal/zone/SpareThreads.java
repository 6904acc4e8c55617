package io.callboard.internal.zone;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads beside those of a zone, for what those cannot do; made when they are needed, and ended
 * when they are idle for a second.
 */
final class SpareThreads implements ZoneThreads {
  private final ThreadPoolExecutor threads;

  /**
   * @param name of the zone's threads
   * @param max threads at once
   * @param queue what waits for them; what it does not take is refused
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
