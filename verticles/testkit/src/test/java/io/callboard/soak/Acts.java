package io.callboard.soak;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Failures of handlers and starts, on the actor's context. */
final class Acts {
  /** Longer than a start may take, and far shorter than a stop. */
  private static final Duration BLOCKED = Duration.ofMillis(Tree.START_MILLIS + 100);

  private Acts() {}

  /** Returns the result of a handler. */
  static @Nullable Future<?> handle(Fault fault) {
    return switch (fault) {
      case THROW -> throw new IllegalStateException("thrown");
      case FAILED_FUTURE -> Future.failedFuture(new IllegalStateException("failed"));
      case FAILED_LATER -> vertx().timer(1).compose(v -> Future.failedFuture("failed later"));
      case HANG -> Promise.promise().future();
      case CONTEXT -> {
        Objects.requireNonNull(Vertx.currentContext(), "in a handler")
            .runOnContext(
                v -> {
                  throw new IllegalStateException("thrown on the context");
                });
        yield null;
      }
      case BLOCK -> {
        block();
        yield null;
      }
      case ESCALATE -> throw new Fault.Escalating();
      case RESUME -> throw new Fault.Resumable();
      default -> null;
    };
  }

  /** Returns the result of a start. */
  static Future<?> start(Part.NextStart how) {
    return switch (how) {
      case SUCCEEDS -> Future.succeededFuture();
      case FAILS -> Future.failedFuture(new IllegalStateException("start failed"));
      case HANGS -> Promise.promise().future();
      case BLOCKS -> {
        block();
        yield Future.succeededFuture();
      }
    };
  }

  private static Vertx vertx() {
    return Objects.requireNonNull(Vertx.currentContext(), "on a context").owner();
  }

  private static void block() {
    try {
      boolean never = new CountDownLatch(1).await(BLOCKED.toMillis(), TimeUnit.MILLISECONDS);
      if (never) {
        throw new IllegalStateException("nobody counts down");
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
