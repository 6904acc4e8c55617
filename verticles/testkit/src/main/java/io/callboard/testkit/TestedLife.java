package io.callboard.testkit;

import io.callboard.Actor;
import io.callboard.testkit.TestedContext.Letter;
import io.vertx.core.Future;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One object of a tested actor, and what it has at hand. */
final class TestedLife {
  private final Actor<Object> actor;
  private final TestedContext context;
  private Future<?> doing = Future.succeededFuture();

  TestedLife(Actor<Object> actor, TestedContext context) {
    this.actor = actor;
    this.context = context;
    actor.attach(context);
  }

  Actor<Object> actor() {
    return actor;
  }

  TestedContext context() {
    return context;
  }

  void start() {
    doing = result(actor::start);
  }

  void handle(Letter letter) {
    context.begin(letter);
    doing = result(() -> actor.receive(actor.adapted(letter.message())));
  }

  private static Future<?> result(Supplier<@Nullable Future<?>> step) {
    try {
      Future<?> result = step.get();
      return result == null ? Future.succeededFuture() : result;
    } catch (AssertionError unfit) {
      throw unfit;
    } catch (RuntimeException | Error failure) {
      return Future.failedFuture(failure);
    }
  }

  /** Whether it is done with its start or its message. */
  boolean isDone() {
    return doing.isComplete();
  }

  /** Of what it is done with; null if that went well. */
  @Nullable Throwable failure() {
    return doing.cause();
  }
}
