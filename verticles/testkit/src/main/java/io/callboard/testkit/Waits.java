package io.callboard.testkit;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Blocking waits for latches, queues and processes, for any thread that may block. Each lasts at
 * most 30 s, or {@code callboard.testkit.timefactor} times as long, and then fails with an {@link
 * AssertionError}; so it does when its thread is interrupted. {@link Futures} waits for futures.
 */
public final class Waits {
  /** Length of a look, after which the wait sees whether its thread was held up. */
  private static final Duration LOOK = Duration.ofMillis(100);

  private Waits() {}

  /** Waits until {@code latch} is counted down to zero. */
  public static void opened(CountDownLatch latch) {
    var unused = until(limit(), ns -> latch.await(ns, TimeUnit.NANOSECONDS) ? latch : null, latch);
  }

  /** Waits for the next element of {@code queue}, and takes it. */
  @CanIgnoreReturnValue
  public static <T> T next(BlockingQueue<T> queue) {
    return next(queue, element -> true);
  }

  /**
   * Waits for the next element of {@code queue} that {@code wanted} accepts, and takes it; those
   * before it are dropped. The limit covers the whole wait.
   */
  @CanIgnoreReturnValue
  public static <T> T next(BlockingQueue<T> queue, Predicate<? super T> wanted) {
    WaitLimit limit = limit();
    while (true) {
      T element = until(limit, ns -> queue.poll(ns, TimeUnit.NANOSECONDS), "the next element");
      if (wanted.test(element)) {
        return element;
      }
    }
  }

  /** Waits for the end of {@code process}, and returns its exit code. */
  @CanIgnoreReturnValue
  public static int ended(Process process) {
    var unused =
        until(limit(), ns -> process.waitFor(ns, TimeUnit.NANOSECONDS) ? process : null, process);
    return process.exitValue();
  }

  private static WaitLimit limit() {
    return WaitLimit.of(WaitLimit.LIMIT);
  }

  /** Waits for some time; null if it has not come by then. */
  interface Look<T> {
    @Nullable T at(long ns) throws InterruptedException;
  }

  static <T> T until(WaitLimit limit, Look<T> look, Object what) {
    while (!limit.isOver()) {
      long before = System.nanoTime();
      try {
        T seen = look.at(Math.min(LOOK.toNanos(), limit.leftNs()));
        if (seen != null) {
          return seen;
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError("interrupted while it waits for " + what, e);
      }
      limit.slept(System.nanoTime() - before, LOOK);
    }
    limit.reportExpiry();
    throw new AssertionError("not within %s: %s".formatted(limit.limit(), what));
  }
}
