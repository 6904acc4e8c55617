package io.callboard.testkit;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An ask of a tested actor that the test answers; the object beside it gets the same answer. */
final class OpenAsk {
  private final String to;
  private final Class<?> answerType;
  private final List<Consumer<Future<Object>>> waiting = new ArrayList<>();
  private @Nullable Future<Object> end;

  OpenAsk(String to, Class<?> answerType) {
    this.to = to;
    this.answerType = answerType;
  }

  String to() {
    return to;
  }

  boolean isOpen() {
    return end == null;
  }

  /**
   * Another wait for the answer.
   *
   * @param runs what follows from it
   */
  <R> Future<R> await(Class<R> type, Consumer<Runnable> runs) {
    Promise<R> promise = Promise.promise();
    Consumer<Future<Object>> taker =
        done -> {
          if (done.succeeded()) {
            promise.complete(type.cast(done.result()));
          } else {
            promise.fail(done.cause());
          }
        };
    if (end == null) {
      waiting.add(done -> runs.accept(() -> taker.accept(done)));
    } else {
      taker.accept(end);
    }
    return promise.future();
  }

  void succeed(Object answer) {
    if (!answerType.isInstance(answer)) {
      throw new IllegalArgumentException(
          "the ask to %s wants a %s for an answer, not %s"
              .formatted(to, answerType.getName(), answer));
    }
    end(Future.succeededFuture(answer));
  }

  void fail(Throwable cause) {
    end(Future.failedFuture(cause));
  }

  private void end(Future<Object> outcome) {
    end = outcome;
    for (int i = 0; i < waiting.size(); i++) {
      if (i > 0) {
        SecondRun.later();
      }
      waiting.get(i).accept(outcome);
    }
    waiting.clear();
  }
}
