package io.callboard.chaos.hosts;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/** Wait for a condition, by repeated checks. */
public final class Await {
  private static final long EVERY_NS = TimeUnit.MILLISECONDS.toNanos(50);

  private Await() {}

  /** Condition to wait for; an exception counts as not yet true. */
  public interface Condition {
    boolean holds() throws Exception;
  }

  /**
   * Waits until the condition holds.
   *
   * @throws TimeoutException that names {@code what}, and why it does not hold
   */
  public static void until(String what, Duration limit, Condition condition)
      throws TimeoutException {
    if (!holds(limit, condition)) {
      throw new TimeoutException("%s: not within %d s".formatted(what, limit.toSeconds()));
    }
  }

  /** Returns whether the condition becomes true within that time. */
  public static boolean holds(Duration limit, Condition condition) {
    long deadline = System.nanoTime() + limit.toNanos();
    while (true) {
      try {
        if (condition.holds()) {
          return true;
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      } catch (Exception notYet) {
        if (!limit.isZero() && System.nanoTime() - deadline > 0) {
          Progress.say("still: " + notYet);
        }
      }
      if (System.nanoTime() - deadline > 0) {
        return false;
      }
      LockSupport.parkNanos(EVERY_NS);
    }
  }

  /** Sleeps; the duration of a fault is a matter of the clock. */
  public static void pass(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
