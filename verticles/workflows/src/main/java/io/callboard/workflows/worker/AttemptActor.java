package io.callboard.workflows.worker;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.Actor;
import io.callboard.Protocol;
import io.callboard.workflows.model.PermanentStepException;
import io.callboard.workflows.protocol.StepOutcome;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of a step: calls the code of its type, in the zone of the steps, and reports how that
 * ended. Volatile, child of its worker; it ends with the attempt.
 */
final class AttemptActor extends Actor<AttemptCommand> {
  private final Attempt attempt;
  private final AttemptCode code;
  private final Consumer<StepOutcome> over;

  /**
   * Creates the actor of an attempt.
   *
   * @param over called once, on any thread, when the code has ended
   */
  AttemptActor(Attempt attempt, AttemptCode code, Consumer<StepOutcome> over) {
    this.attempt = attempt;
    this.code = code;
    this.over = over;
  }

  @Override
  protected void protocol(Protocol<AttemptCommand> on) {
    on.async(AttemptCommand.class, begin -> begin());
  }

  /** The turn does not wait for the code, which has as much time as its step. */
  private Future<?> begin() {
    Future<@Nullable JsonNode> running;
    try {
      running = code.run(attempt);
      if (running == null) {
        running =
            Future.failedFuture(
                new IllegalStateException("its handler returned null, not a future"));
      }
    } catch (Exception | LinkageError e) {
      running = Future.failedFuture(e);
    }
    running.onComplete(this::ended);
    return Future.succeededFuture();
  }

  private void ended(AsyncResult<@Nullable JsonNode> result) {
    over.accept(outcome(result));
  }

  private StepOutcome outcome(AsyncResult<@Nullable JsonNode> result) {
    if (result.succeeded()) {
      return StepOutcome.succeeded(result.result());
    }
    Throwable cause = result.cause();
    String error = error(cause);
    if (attempt.cancelled().isComplete()) {
      return StepOutcome.cancelled("it was cancelled, and ended with: " + error);
    }
    return cause instanceof PermanentStepException
        ? StepOutcome.failedForGood(error)
        : StepOutcome.failed(error);
  }

  /** Returns a failure with its causes, in a line. */
  static String error(Throwable failure) {
    StringBuilder text = new StringBuilder(line(failure));
    Throwable cause = failure.getCause();
    for (int depth = 0; cause != null && depth < 5; depth++) {
      text.append(", because of ").append(line(cause));
      cause = cause.getCause();
    }
    return text.toString();
  }

  private static String line(Throwable failure) {
    boolean ours =
        failure instanceof PermanentStepException || failure instanceof HttpStepException;
    return ours && failure.getMessage() != null ? failure.getMessage() : failure.toString();
  }
}
