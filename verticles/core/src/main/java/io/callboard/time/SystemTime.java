package io.callboard.time;

import io.netty.util.concurrent.ScheduledFuture;
import io.vertx.core.Context;
import io.vertx.core.internal.ContextInternal;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The system's clock, with timers of the event loops. */
final class SystemTime implements Time {
  private final Clock clock = Clock.systemUTC();

  @Override
  public Clock clock() {
    return clock;
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public Alarm after(Context context, Duration delay, Runnable task) {
    Timer timer = new Timer((ContextInternal) context, task);
    timer.start(delay);
    return timer;
  }

  /**
   * Timer of a task. When it is due the task may have to wait for its context: until it begins
   * there, it can be cancelled.
   */
  private static final class Timer implements Alarm {
    private final ContextInternal on;
    private final Runnable task;
    private volatile @Nullable ScheduledFuture<?> due;
    private volatile boolean cancelled;

    Timer(ContextInternal on, Runnable task) {
      this.on = on;
      this.task = task;
    }

    void start(Duration delay) {
      due =
          on.nettyEventLoop()
              .schedule(
                  () -> on.emit(v -> run()), Math.max(0, delay.toNanos()), TimeUnit.NANOSECONDS);
    }

    private void run() {
      if (!cancelled) {
        task.run();
      }
    }

    @Override
    public void cancel() {
      cancelled = true;
      ScheduledFuture<?> its = due;
      if (its != null) {
        boolean unused = its.cancel(false);
      }
    }
  }
}
