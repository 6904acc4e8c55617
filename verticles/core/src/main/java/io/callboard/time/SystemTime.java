package io.callboard.time;

import io.netty.util.concurrent.ScheduledFuture;
import io.vertx.core.Context;
import io.vertx.core.internal.ContextInternal;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

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

  /** When it is due, the task may have to wait for its context: it can be cancelled until then. */
  @Override
  public Alarm after(Context context, Duration delay, Runnable task) {
    ContextInternal on = (ContextInternal) context;
    AtomicBoolean cancelled = new AtomicBoolean();
    Runnable due = () -> on.emit(v -> runUnless(cancelled, task));
    ScheduledFuture<?> timer =
        on.nettyEventLoop().schedule(due, Math.max(0, delay.toNanos()), TimeUnit.NANOSECONDS);
    return () -> {
      cancelled.set(true);
      boolean unused = timer.cancel(false);
    };
  }

  private static void runUnless(AtomicBoolean cancelled, Runnable task) {
    if (!cancelled.get()) {
      task.run();
    }
  }
}
