package io.callboard.internal;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.vertx.core.Future;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits with the limit of the testkit's, and its factor: the testkit depends on this module. */
public final class Waits {
  private static final long LIMIT_NS =
      (long) (30e9 * Double.parseDouble(System.getProperty("callboard.testkit.timefactor", "1")));
  private static final long PAUSE_NS = 2_000_000;

  private Waits() {}

  @CanIgnoreReturnValue
  public static <T> T await(Future<T> future) {
    try {
      return future.await(LIMIT_NS, TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError("not complete: " + future, e);
    }
  }

  public static void opened(CountDownLatch latch) {
    try {
      if (!latch.await(LIMIT_NS, TimeUnit.NANOSECONDS)) {
        throw new AssertionError("not open: " + latch);
      }
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  public static <T> T next(BlockingQueue<T> queue) {
    try {
      T next = queue.poll(LIMIT_NS, TimeUnit.NANOSECONDS);
      if (next == null) {
        throw new AssertionError("nothing more has come");
      }
      return next;
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private static AssertionError interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new AssertionError(e);
  }

  public static void until(String what, BooleanSupplier reached) {
    long begunNs = System.nanoTime();
    while (!reached.getAsBoolean()) {
      if (System.nanoTime() - begunNs > LIMIT_NS) {
        throw new AssertionError("not in time: " + what);
      }
      LockSupport.parkNanos(PAUSE_NS);
    }
  }
}
