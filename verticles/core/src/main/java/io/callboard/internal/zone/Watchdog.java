package io.callboard.internal.zone;

import io.callboard.supervision.Causes;
import io.callboard.time.Time;
import io.vertx.core.Context;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watchdog thread of a node: looks after its zones, and runs timers that no busy zone and no
 * blocked event loop delays. Once it has ended no timer fires any more.
 */
final class Watchdog implements Time {
  /** Milliseconds between two looks. */
  static final long EVERY_MS = 200;

  private static final Logger log = LoggerFactory.getLogger(Watchdog.class);

  private final ScheduledThreadPoolExecutor thread;

  Watchdog(String node) {
    thread =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread made = new Thread(task, "callboard-%s-watchdog".formatted(node));
              made.setDaemon(true);
              return made;
            });
    thread.setRemoveOnCancelPolicy(true);
  }

  void start(Runnable look) {
    var unused =
        thread.scheduleWithFixedDelay(
            () -> guarded(look), EVERY_MS, EVERY_MS, TimeUnit.MILLISECONDS);
  }

  @Override
  public Clock clock() {
    return SYSTEM.clock();
  }

  @Override
  public long nanoTime() {
    return SYSTEM.nanoTime();
  }

  /** When it is due, the task may have to wait for its context: it can be cancelled until then. */
  @Override
  public Alarm after(Context context, Duration delay, Runnable task) {
    AtomicBoolean cancelled = new AtomicBoolean();
    Runnable once =
        () -> {
          if (!cancelled.get()) {
            task.run();
          }
        };
    Alarm due = later(delay, () -> context.runOnContext(v -> once.run()));
    return () -> {
      cancelled.set(true);
      due.cancel();
    };
  }

  /** Runs {@code task} once on this thread, unless the alarm is cancelled before. */
  Alarm later(Duration delay, Runnable task) {
    try {
      ScheduledFuture<?> due =
          thread.schedule(() -> guarded(task), delay.toNanos(), TimeUnit.NANOSECONDS);
      return () -> {
        boolean unused = due.cancel(false);
      };
    } catch (RejectedExecutionException e) {
      log.debug("the zones have closed", Causes.readable(e));
      return () -> {};
    }
  }

  private static void guarded(Runnable look) {
    try {
      look.run();
    } catch (Throwable e) { // what is refused has no other way out than the next look
      log.error("a check of the scheduling zones failed; the next one follows", Causes.readable(e));
    }
  }

  void end() {
    var unused = thread.shutdownNow();
  }
}
