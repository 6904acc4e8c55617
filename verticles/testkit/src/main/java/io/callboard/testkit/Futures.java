package io.callboard.testkit;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Blocking waits for futures, for the thread of a test. */
public final class Futures {
  /** Time limit of {@link #await(Future)}, longer than a loaded machine needs. */
  static final Duration LIMIT = Duration.ofSeconds(60);

  private Futures() {}

  /**
   * Waits for the result of {@code future}, at most one minute.
   *
   * @throws AssertionError if it is not complete by then; if the future failed, its failure is
   *     thrown as it is
   */
  @CanIgnoreReturnValue
  public static <T> T await(Future<T> future) {
    return await(LIMIT, future);
  }

  /** Waits for the result of {@code future} like {@link #await(Future)}, at most {@code limit}. */
  @CanIgnoreReturnValue
  public static <T> T await(Duration limit, Future<T> future) {
    try {
      return future.await(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError("not complete within %s: %s".formatted(limit, future), e);
    }
  }
}
