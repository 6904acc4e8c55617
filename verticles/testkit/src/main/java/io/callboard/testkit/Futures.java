package io.callboard.testkit;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Blocking waits for futures, for the thread of a test. */
public final class Futures {
  /** Length of a look at a future, after which the wait sees whether its thread was held up. */
  private static final Duration LOOK = Duration.ofMillis(100);

  private Futures() {}

  /**
   * Waits for the result of {@code future}, at most 30 s, or {@code callboard.testkit.timefactor}
   * times as long.
   *
   * @throws AssertionError if it is not complete by then; if the future failed, its failure is
   *     thrown as it is
   */
  @CanIgnoreReturnValue
  public static <T> T await(Future<T> future) {
    return await(WaitLimit.LIMIT, future);
  }

  /** Waits for the result of {@code future} like {@link #await(Future)}, at most {@code limit}. */
  @CanIgnoreReturnValue
  public static <T> T await(Duration limit, Future<T> future) {
    WaitLimit wait = WaitLimit.of(limit);
    while (true) {
      long before = System.nanoTime();
      try {
        return future.await(Math.min(LOOK.toNanos(), wait.leftNs()), TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        wait.slept(System.nanoTime() - before, LOOK);
        if (wait.isOver()) {
          wait.reportExpiry();
          throw new AssertionError("not complete within %s: %s".formatted(limit, future), e);
        }
      }
    }
  }
}
