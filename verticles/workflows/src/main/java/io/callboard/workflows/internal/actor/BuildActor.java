package io.callboard.workflows.internal.actor;

import io.callboard.Actor;
import io.callboard.Protocol;
import io.callboard.jobs.internal.call.ThreadWait;
import io.callboard.workflows.internal.starts.IntakeStart;
import io.callboard.workflows.internal.starts.MessageBuilders;
import io.callboard.workflows.internal.starts.MessageBuilders.Question;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One question to a builder, in the zone of builders. Volatile, child of the actor of its message;
 * it ends with the answer.
 */
final class BuildActor extends Actor<BuildActor.Begin> {
  /** Message to begin. */
  record Begin() {}

  private final MessageBuilders builders;
  private final Question question;
  private final ThreadWait call;
  private final Consumer<AsyncResult<@Nullable IntakeStart>> answered;

  /**
   * Creates the actor of a question.
   *
   * @param call is over when the builder's code does not hold its thread any more, or never will
   * @param answered called once, on any thread; never after the call was given back
   */
  BuildActor(
      MessageBuilders builders,
      Question question,
      ThreadWait call,
      Consumer<AsyncResult<@Nullable IntakeStart>> answered) {
    this.builders = builders;
    this.question = question;
    this.call = call;
    this.answered = answered;
  }

  @Override
  protected void protocol(Protocol<Begin> on) {
    on.message(Begin.class, begin -> begin());
  }

  @Override
  protected Future<?> stopped() {
    call.returned();
    return Future.succeededFuture();
  }

  /** Asks the builder; the turn does not wait for the answer. */
  void begin() {
    if (!call.begins()) {
      return;
    }
    Future<@Nullable IntakeStart> answer;
    try {
      answer = builders.ask(question);
    } catch (Exception | Error e) { // whatever it is, its message is answered
      answer = Future.failedFuture(e);
    } finally {
      call.returned();
    }
    answer.onComplete(answered::accept);
  }
}
