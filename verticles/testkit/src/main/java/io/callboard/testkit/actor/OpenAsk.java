package io.callboard.testkit.actor;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Ask of a tested actor that the test answers; the second object gets the same answer. */
final class OpenAsk {
  private final String to;
  private final Class<?> answerType;
  private final List<Promise<Object>> waiting = new ArrayList<>();
  private @Nullable Future<Object> end;

  OpenAsk(String to, Class<?> answerType) {
    this.to = to;
    this.answerType = answerType;
  }

  String to() {
    return to;
  }

  synchronized boolean isOpen() {
    return end == null;
  }

  /** Returns a future of the answer, which completes on the caller's context. */
  synchronized <R> Future<R> await(Class<R> type) {
    Context here = Vertx.currentContext();
    Promise<Object> promise = here == null ? Promise.promise() : ((ContextInternal) here).promise();
    if (end == null) {
      waiting.add(promise);
    } else {
      end.onComplete(promise);
    }
    return promise.future().map(type::cast);
  }

  /**
   * Completes the ask with an answer.
   *
   * @param between action between the completion of the first wait and that of the next
   */
  void succeed(Object answer, Runnable between) {
    if (!answerType.isInstance(answer)) {
      throw new IllegalArgumentException(
          "the ask to %s expects an answer of type %s, not %s"
              .formatted(to, answerType.getName(), answer));
    }
    end(Future.succeededFuture(answer), between);
  }

  void fail(Throwable cause, Runnable between) {
    end(Future.failedFuture(cause), between);
  }

  private void end(Future<Object> outcome, Runnable between) {
    List<Promise<Object>> waiters;
    synchronized (this) {
      end = outcome;
      waiters = List.copyOf(waiting);
      waiting.clear();
    }
    for (int i = 0; i < waiters.size(); i++) {
      if (i > 0) {
        between.run();
      }
      outcome.onComplete(waiters.get(i));
    }
  }
}
