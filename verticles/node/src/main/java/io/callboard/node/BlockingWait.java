package io.callboard.node;

import io.vertx.core.Context;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Blocking waits of a thread for futures. */
final class BlockingWait {
  private static final Logger log = LoggerFactory.getLogger(BlockingWait.class);

  private BlockingWait() {}

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

  /**
   * Waits like {@link #await}, to the end even if the thread is interrupted meanwhile; it has the
   * interrupt again afterwards.
   */
  static void awaitDespiteInterrupts(Future<?> future, Duration limit) throws Exception {
    long deadlineNs = System.nanoTime() + limit.toNanos();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          await(future, Duration.ofNanos(Math.max(0, deadlineNs - System.nanoTime())));
          return;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Waits like {@link #await} for something that is started; if the wait ends without it, it is
   * closed when it arrives after all.
   */
  static <T> T awaitOrClose(Future<T> starting, Duration limit, Function<T, Future<Void>> close)
      throws Exception {
    try {
      return await(starting, limit);
    } catch (Exception e) {
      starting
          .compose(late -> close.apply(late))
          .onFailure(cause -> log.debug("not closed", cause));
      throw e;
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
