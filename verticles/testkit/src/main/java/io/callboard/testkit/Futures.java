package io.callboard.testkit;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Blocking waits for futures, for the thread of a test. */
public final class Futures {
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
    Future<T> complete =
        Waits.until(
            WaitLimit.of(limit),
            ns -> {
              try {
                var unused = future.await(ns, TimeUnit.NANOSECONDS);
              } catch (TimeoutException e) {
                // not yet, unless it is what the future failed with
              }
              return future.isComplete() ? future : null;
            },
            future);
    return complete.await();
  }
}
