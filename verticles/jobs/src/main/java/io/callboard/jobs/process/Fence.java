package io.callboard.jobs.process;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Time limit of the runs of a host, which ends them in time, for others may run them again: by the
 * host's own clock, and by its {@link RunWatchdog} should the host be frozen. Open until it is
 * renewed for the first time. Thread-safe; it has a thread of its own, for ending runs may wait for
 * a disk.
 */
final class Fence {
  /** Why its runs end. */
  static final String REASON = "its host had no contact with ZooKeeper for a session timeout";

  /** By so much, and up to a second more, the guard is later: a host can tell what it did. */
  private static final Duration GUARD_LATER = Duration.ofSeconds(1);

  private static final Logger LOG = LoggerFactory.getLogger(Fence.class);

  private final RunWatchdog runWatchdog;
  private final ScheduledExecutorService thread;
  private final Runnable killAll;
  private final LongSupplier nanoTime;
  private boolean set;
  private long untilNs;

  /**
   * @param killAll kills what runs; must not block
   */
  Fence(RunWatchdog runWatchdog, ThreadFactory threads, Runnable killAll, LongSupplier nanoTime) {
    this.runWatchdog = runWatchdog;
    this.thread = Executors.newSingleThreadScheduledExecutor(threads);
    this.killAll = killAll;
    this.nanoTime = nanoTime;
  }

  /**
   * Runs may go on until then; but those that are there end if the time before is over already. An
   * earlier time than the one before changes nothing.
   */
  void renew(long until) {
    look();
    synchronized (this) {
      if (set && until - untilNs <= 0) {
        return;
      }
      set = true;
      untilNs = until;
    }
    try {
      thread.execute(this::renewGuard);
      long leftNs = until - nanoTime.getAsLong();
      var unused = thread.schedule(this::look, Math.max(0, leftNs), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("closed: no runs are left", e);
    }
  }

  private void renewGuard() {
    look();
    long leftNs;
    synchronized (this) {
      leftNs = untilNs - nanoTime.getAsLong();
    }
    if (leftNs > 0) {
      runWatchdog.renew(Duration.ofNanos(leftNs).plus(GUARD_LATER));
    }
  }

  private void look() {
    if (mayHaveKilled()) {
      killAll.run();
    }
  }

  /** Whether nothing may run here now. */
  synchronized boolean isOver() {
    return set && nanoTime.getAsLong() - untilNs >= 0;
  }

  /** {@link Uptime} when it will be; empty if it is never, or this system has no such clock. */
  OptionalLong endsAtUptime() {
    // in this order: should this thread stand still in between, the end comes early and not late
    OptionalLong now = Uptime.now();
    synchronized (this) {
      return set && now.isPresent()
          ? OptionalLong.of(Uptime.after(now.getAsLong(), untilNs - nanoTime.getAsLong()))
          : OptionalLong.empty();
    }
  }

  /** Whether what dies unexpectedly now may have died of this. */
  boolean mayHaveKilled() {
    return isOver() || runWatchdog.mayHaveKilled();
  }

  /** The guard ends, too. */
  void close() {
    if (!thread.isShutdown()) {
      thread.execute(runWatchdog::close);
      thread.shutdown();
    }
  }
}
