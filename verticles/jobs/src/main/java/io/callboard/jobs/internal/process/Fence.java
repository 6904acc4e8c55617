package io.callboard.jobs.internal.process;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Time limit of the runs of a host, which ends them in time, as others may run them again: by the
 * host's own clock, and by its {@link RunWatchdog} if the host is frozen. Open until it is renewed
 * for the first time. Thread-safe; it has a thread of its own, as ending runs may wait for a disk.
 */
final class Fence {
  /** Reason given for ending its runs. */
  static final String REASON = "its host had no contact with ZooKeeper for a session timeout";

  /** Delay of the watchdog, plus up to a second: the host itself can report what it did. */
  private static final Duration GUARD_LATER = Duration.ofSeconds(1);

  private static final Logger LOG = LoggerFactory.getLogger(Fence.class);

  private final RunWatchdog runWatchdog;
  private final ScheduledExecutorService thread;
  private final Runnable killAll;
  private final LongSupplier nanoTime;
  private boolean set;
  private long untilNs;

  /** Whether runs had to end, and the watchdog has not heard of the limit that was set then. */
  private boolean guardBehind;

  /**
   * Creates the fence.
   *
   * @param thread its own, which it shuts down
   * @param killAll kills the runs; must not block
   */
  Fence(
      RunWatchdog runWatchdog,
      ScheduledExecutorService thread,
      Runnable killAll,
      LongSupplier nanoTime) {
    this.runWatchdog = runWatchdog;
    this.thread = thread;
    this.killAll = killAll;
    this.nanoTime = nanoTime;
  }

  /**
   * Allows runs to go on until a time; present runs end if the earlier limit has passed already. A
   * time earlier than the current limit changes nothing.
   *
   * @return completes when the watchdog knows the time; whether runs had to end
   */
  CompletableFuture<Boolean> renew(long until) {
    boolean ended;
    synchronized (this) {
      ended = look();
      if (set && until - untilNs <= 0) {
        return CompletableFuture.completedFuture(ended);
      }
      set = true;
      untilNs = until;
      guardBehind |= ended;
    }
    try {
      CompletableFuture<Boolean> renewed =
          CompletableFuture.supplyAsync(() -> renewGuard() || ended, thread);
      long leftNs = until - nanoTime.getAsLong();
      var unused = thread.schedule(this::look, Math.max(0, leftNs), TimeUnit.NANOSECONDS);
      return renewed;
    } catch (RejectedExecutionException e) {
      LOG.debug("closed: no runs are left", e);
      return CompletableFuture.completedFuture(false);
    }
  }

  private boolean renewGuard() {
    boolean ended = look();
    long limit;
    synchronized (this) {
      limit = untilNs;
    }
    long leftNs = limit - nanoTime.getAsLong();
    if (leftNs > 0) {
      runWatchdog.renew(Duration.ofNanos(leftNs).plus(GUARD_LATER));
    }
    synchronized (this) {
      boolean caughtUp = guardBehind && untilNs == limit;
      guardBehind &= !caughtUp;
      return ended || caughtUp;
    }
  }

  /**
   * Kills the runs if the limit has passed; as one step, so that it kills none of a later limit.
   */
  private synchronized boolean look() {
    boolean over = hasPassed() || runWatchdog.mayHaveKilled();
    if (over) {
      killAll.run();
    }
    return over;
  }

  /**
   * Returns whether nothing may run here now: the limit has passed, or it had and the watchdog has
   * not heard of the later one. What dies unexpectedly now may have been killed by either.
   */
  synchronized boolean isOver() {
    return guardBehind || hasPassed() || runWatchdog.mayHaveKilled();
  }

  private synchronized boolean hasPassed() {
    return set && nanoTime.getAsLong() - untilNs >= 0;
  }

  /**
   * Returns the {@link Uptime} of the limit; empty if there is none, or this system has no such
   * clock.
   */
  OptionalLong endsAtUptime() {
    // in this order: if this thread is delayed in between, the end comes early and not late
    OptionalLong now = Uptime.now();
    synchronized (this) {
      return set && now.isPresent()
          ? OptionalLong.of(Uptime.after(now.getAsLong(), untilNs - nanoTime.getAsLong()))
          : OptionalLong.empty();
    }
  }

  /** Closes the fence and its watchdog. */
  void close() {
    if (!thread.isShutdown()) {
      thread.execute(runWatchdog::close);
      thread.shutdown();
    }
  }
}
