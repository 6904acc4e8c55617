package io.callboard.internal.context;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.internal.Waits;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ContextPromiseTest {
  private final Vertx vertx = Vertx.vertx();
  private final Promises promises = new Promises((VertxInternal) vertx);

  @AfterEach
  void close() throws Exception {
    Waits.await(vertx.close());
  }

  /** Runs a task on a context and returns its result. */
  private <T> T onContext(Callable<T> task) throws Exception {
    Promise<T> result = Promise.promise();
    vertx
        .getOrCreateContext()
        .runOnContext(
            v -> {
              try {
                result.complete(task.call());
              } catch (Exception e) {
                result.fail(e);
              }
            });
    return Waits.await(result.future());
  }

  @Test
  void aPromiseOfAnotherThreadIsCompleteWithItsCallbacksOnly() throws Exception {
    Promise<List<String>> seen = Promise.promise();
    boolean completeMeanwhile =
        onContext(
            () -> {
              List<String> order = new ArrayList<>();
              Promise<Integer> promise = promises.here();
              Future<Integer> future = promise.future().onSuccess(n -> order.add("callback " + n));
              boolean unused = future.onComplete(done -> order.add("end")).isComplete();
              CompletableFuture.runAsync(() -> promise.complete(7)).join();
              boolean complete = future.isComplete();
              vertx.getOrCreateContext().runOnContext(v -> seen.complete(order));
              return complete;
            });
    assertThat(completeMeanwhile).isFalse();
    assertThat(Waits.await(seen.future())).containsExactly("callback 7", "end");
  }

  @Test
  void isCompletedOnce() throws Exception {
    boolean again =
        onContext(
            () -> {
              Promise<Integer> promise = promises.here();
              CompletableFuture.runAsync(() -> promise.complete(7)).join();
              return promise.tryComplete(8) || promise.tryFail("late");
            });
    assertThat(again).isFalse();
  }

  @Test
  void isCompleteAtOnceInItsContext() throws Exception {
    int result =
        onContext(
            () -> {
              Promise<Integer> promise = promises.here();
              promise.complete(7);
              return promise.future().result();
            });
    assertThat(result).isEqualTo(7);
  }
}
