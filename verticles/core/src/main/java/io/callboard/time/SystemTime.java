package io.callboard.time;

import io.netty.util.concurrent.ScheduledFuture;
import io.vertx.core.Context;
import io.vertx.core.internal.ContextInternal;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

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
    ContextInternal on = (ContextInternal) context;
    ScheduledFuture<?> timer =
        on.nettyEventLoop()
            .schedule(
                () -> on.emit(v -> task.run()), Math.max(0, delay.toNanos()), TimeUnit.NANOSECONDS);
    return () -> {
      boolean unused = timer.cancel(false);
    };
  }
}
