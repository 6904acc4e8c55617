package io.callboard.jobs.process;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what comes, with a deadline. */
final class Await {
  static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final long LOOK_NANOS = 2_000_000;

  private Await() {}

  static void until(String what, Duration patience, BooleanSupplier condition) {
    long deadline = System.nanoTime() + patience.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("not within " + patience + ": " + what);
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  static void until(String what, BooleanSupplier condition) {
    until(what, PATIENCE, condition);
  }

  @CanIgnoreReturnValue
  static <T> T get(Future<T> future) {
    try {
      return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    } catch (java.util.concurrent.ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new AssertionError(e.getCause());
    } catch (InterruptedException | java.util.concurrent.TimeoutException e) {
      throw new AssertionError(e);
    }
  }
}
