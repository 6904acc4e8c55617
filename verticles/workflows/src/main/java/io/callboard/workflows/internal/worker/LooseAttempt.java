package io.callboard.workflows.internal.worker;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.Blobs;
import io.callboard.jobs.internal.call.ThreadWait;
import io.callboard.workflows.internal.output.StepOutputs;
import io.callboard.workflows.internal.protocol.StepOutcome;
import io.callboard.workflows.internal.protocol.StepRequest;
import io.callboard.zone.ZoneDefaults;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Attempt without a node, for the test kit: its outcome is decided as on a node, on the thread of
 * the caller. Thread-safe.
 */
public final class LooseAttempt {
  private final Attempt attempt;
  private final StepOutputs outputs;

  /**
   * Creates an attempt that has not begun.
   *
   * @param blobs the large outputs
   * @param heartbeats gets each heartbeat
   */
  public LooseAttempt(StepRequest request, Blobs blobs, Consumer<JsonNode> heartbeats) {
    this.outputs = new StepOutputs(() -> blobs);
    this.attempt =
        new Attempt(
            request,
            outputs,
            state -> {
              heartbeats.accept(state);
              return Future.failedFuture("no worker takes it"); // so the next one may follow
            },
            Promise.promise());
  }

  /** Returns the attempt, for the context of its handler. */
  public Attempt attempt() {
    return attempt;
  }

  /** Asks the code to end. */
  public void cancel() {
    attempt.cancel();
  }

  /** Runs the code; completes with the outcome of the attempt. */
  public Future<StepOutcome> run(AttemptCode code) {
    Promise<StepOutcome> over = Promise.promise();
    AttemptActor actor =
        new AttemptActor(
            attempt,
            new ThreadWait(ZoneDefaults.STEPS, Duration.ZERO),
            code,
            outputs,
            new RunningCode(task -> () -> {}),
            over::complete);
    return actor.begin().compose(begun -> over.future());
  }
}
