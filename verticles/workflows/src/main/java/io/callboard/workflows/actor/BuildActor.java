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
  private final Consumer<AsyncResult<@Nullable IntakeStart>> answered;

  /**
   * Creates the actor of a question.
   *
   * @param answered called once, on any thread
   */
  BuildActor(
      MessageBuilders builders,
      Question question,
      Consumer<AsyncResult<@Nullable IntakeStart>> answered) {
    this.builders = builders;
    this.question = question;
    this.answered = answered;
  }

  @Override
  protected void protocol(Protocol<Begin> on) {
    on.message(Begin.class, begin -> begin());
  }

  /** The turn does not wait for the answer. */
  private void begin() {
    Future<@Nullable IntakeStart> answer;
    try {
      answer = builders.ask(question);
    } catch (Exception | LinkageError e) {
      answer = Future.failedFuture(e);
    }
    answer.onComplete(answered::accept);
  }
}
