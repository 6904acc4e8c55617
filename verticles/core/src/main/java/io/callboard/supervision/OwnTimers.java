package io.callboard.supervision;

import io.callboard.Time;
import io.vertx.core.Context;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The system's time with a timer thread of its own, so that no blocked event loop delays it. Once
 * it is closed nothing comes to its time any more.
 */
final class OwnTimers implements Time, AutoCloseable {
  private static final ThreadFactory DAEMON =
      task -> {
        Thread thread = new Thread(task, "callboard-supervision-timer");
        thread.setDaemon(true);
        return thread;
      };

  private final ScheduledThreadPoolExecutor timers =
      new ScheduledThreadPoolExecutor(1, DAEMON, new ThreadPoolExecutor.DiscardPolicy());

  OwnTimers() {
    timers.setRemoveOnCancelPolicy(true);
  }

  @Override
  public Clock clock() {
    return Time.SYSTEM.clock();
  }

  @Override
  public long nanoTime() {
    return Time.SYSTEM.nanoTime();
  }

  @Override
  public Alarm after(Context context, Duration delay, Runnable task) {
    Future<?> timer =
        timers.schedule(
            () -> context.runOnContext(v -> task.run()), delay.toNanos(), TimeUnit.NANOSECONDS);
    return () -> {
      boolean unused = timer.cancel(false);
    };
  }

  @Override
  public void close() {
    var unused = timers.shutdownNow();
  }
}
