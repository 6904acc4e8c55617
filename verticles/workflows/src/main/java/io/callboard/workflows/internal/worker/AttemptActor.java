package io.callboard.workflows.internal.worker;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.Actor;
import io.callboard.Protocol;
import io.callboard.jobs.internal.call.ThreadWait;
import io.callboard.supervision.Causes;
import io.callboard.workflows.internal.output.StepOutputs;
import io.callboard.workflows.internal.protocol.StepOutcome;
import io.callboard.workflows.internal.protocol.StepRequest;
import io.callboard.workflows.model.PermanentStepException;
import io.vertx.core.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of a step: calls the code of its type, in the zone of the steps or in that of the
 * handler, stores its output if that is large, and reports how it ended. Volatile, child of its
 * worker; it ends with the attempt.
 */
final class AttemptActor extends Actor<AttemptCommand> {
  private final Attempt attempt;
  private final ThreadWait thread;
  private final AttemptCode code;
  private final StepOutputs outputs;
  private final RunningCode running;
  private final Consumer<StepOutcome> over;

  /** True if its code has ended, on any thread. */
  private volatile boolean ended;

  /**
   * Creates the actor of an attempt.
   *
   * @param over called once, on any thread, when the code has ended, or is not to be called as the
   *     run was cancelled; never after the attempt was given back
   */
  AttemptActor(
      Attempt attempt,
      ThreadWait thread,
      AttemptCode code,
      StepOutputs outputs,
      RunningCode running,
      Consumer<StepOutcome> over) {
    this.attempt = attempt;
    this.thread = thread;
    this.code = code;
    this.outputs = outputs;
    this.running = running;
    this.over = over;
  }

  @Override
  protected void protocol(Protocol<AttemptCommand> on) {
    on.async(AttemptCommand.class, begin -> begin());
  }

  /** Calls the code; the turn does not wait for it, as the code has as much time as its step. */
  Future<?> begin() {
    if (!thread.begins()) { // its run is somebody else's, or over
      return Future.succeededFuture();
    }
    if (attempt.cancelled().isComplete()) {
      over.accept(StepOutcome.cancelled("it had not begun"));
      return Future.succeededFuture();
    }
    Future<Void> ready = code.readsOutputs() ? attempt.prepare() : Future.succeededFuture();
    ready
        .compose(done -> run())
        .map(StepOutcome::succeeded)
        .compose(ended -> outputs.store(request().instance(), request().step(), ended))
        .otherwise(this::failed)
        .onSuccess(over::accept);
    return Future.succeededFuture();
  }

  private StepRequest request() {
    return attempt.request();
  }

  private Future<@Nullable JsonNode> run() {
    if (!running.begins(attempt)) {
      return Future.failedFuture("it was to end before it began");
    }
    Future<@Nullable JsonNode> its = Future.failedFuture("its code threw an error");
    try {
      its = code.run(attempt);
    } catch (Exception | LinkageError e) {
      its = Future.failedFuture(e);
    } finally {
      its.onComplete(done -> codeEnded());
    }
    return its;
  }

  private void codeEnded() {
    ended = true;
    running.ended(attempt);
  }

  /** Asks the code of the attempt, if it still runs, to end, as the attempt has ended. */
  @Override
  protected Future<?> stopped() {
    if (!ended) {
      attempt.cancel();
    }
    return Future.succeededFuture();
  }

  private StepOutcome failed(Throwable cause) {
    String error = error(cause);
    if (attempt.cancelled().isComplete()) {
      return StepOutcome.cancelled("it was cancelled, and ended with: " + error);
    }
    return cause instanceof PermanentStepException
        ? StepOutcome.failedForGood(error)
        : StepOutcome.failed(error);
  }

  /** Returns a failure with its causes, in a line. */
  static String error(Throwable thrown) {
    Throwable failure = Causes.readable(thrown);
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
    return ours ? Causes.message(failure) : Causes.text(failure);
  }
}
