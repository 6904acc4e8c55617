package io.callboard.node;

import io.vertx.core.Context;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Waits of a thread for what is asynchronous. */
final class Waiting {
  private Waiting() {}

  /**
   * Waits for a future, and fails as it does.
   *
   * @throws java.util.concurrent.TimeoutException after {@code limit}
   */
  @com.google.errorprone.annotations.CanIgnoreReturnValue
  static <T> T await(Future<T> future, Duration limit) throws Exception {
    try {
      return future.await(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (Throwable e) {
      throw e instanceof Exception checked ? checked : new IllegalStateException(e);
    }
  }

  /** Refuses to block an event loop. */
  static void refuseEventLoop(String what) {
    if (Context.isOnEventLoopThread()) {
      throw new IllegalStateException(
          what + " blocks: call it on another thread than an event loop, such as main's");
    }
  }
}
