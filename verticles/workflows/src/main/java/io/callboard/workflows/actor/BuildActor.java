package io.callboard.workflows.actor;

import io.callboard.Actor;
import io.callboard.Protocol;
import io.callboard.workflows.starts.IntakeStart;
import io.callboard.workflows.starts.MessageBuilders;
import io.callboard.workflows.starts.MessageBuilders.Question;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One question to a builder, in the zone of builders. Volatile, child of the actor of its message;
 * it ends with the answer.
 */
final class BuildActor extends Actor<BuildActor.Begin> {
  /** Message that lets it ask. */
  record Begin() {}

  private final MessageBuilders builders;
  private final Question question;
  private final Runnable returned;
  private final Consumer<AsyncResult<@Nullable IntakeStart>> answered;

  /**
   * Creates the actor of a question.
   *
   * @param returned called when the builder's code does not hold its thread any more, or never
   *     will; on any thread, perhaps twice
   * @param answered called once, on any thread
   */
  BuildActor(
      MessageBuilders builders,
      Question question,
      Runnable returned,
      Consumer<AsyncResult<@Nullable IntakeStart>> answered) {
    this.builders = builders;
    this.question = question;
    this.returned = returned;
    this.answered = answered;
  }

  @Override
  protected void protocol(Protocol<Begin> on) {
    on.message(Begin.class, begin -> begin());
  }

  @Override
  protected Future<?> stopped() {
    returned.run();
    return Future.succeededFuture();
  }

  /** The turn does not wait for the answer. */
  private void begin() {
    Future<@Nullable IntakeStart> answer;
    try {
      answer = builders.ask(question);
    } catch (Exception | LinkageError | StackOverflowError e) {
      answer = Future.failedFuture(e);
    } finally {
      returned.run();
    }
    answer.onComplete(answered::accept);
  }
}
