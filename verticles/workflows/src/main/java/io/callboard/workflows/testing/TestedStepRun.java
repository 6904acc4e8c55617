package io.callboard.workflows.testing;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.workflows.StepHandler;
import io.callboard.workflows.StepRunContext;
import io.callboard.workflows.definition.StepRetry;
import io.callboard.workflows.internal.instance.RetryDelay;
import io.callboard.workflows.internal.protocol.StepOutcome;
import io.callboard.workflows.internal.protocol.StepRequest;
import io.callboard.workflows.internal.worker.AttemptCode;
import io.callboard.workflows.internal.worker.LooseAttempt;
import io.callboard.workflows.testing.TestedStepOutcome.End;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Run of a tested step. Thread-safe. */
public final class TestedStepRun {
  private final StepRequest request;
  private final StepRetry retry;
  private final Duration within;
  private final LooseAttempt attempt;
  private final CompletableFuture<StepOutcome> code = new CompletableFuture<>();
  private final List<JsonNode> heartbeats = new ArrayList<>();
  private @Nullable JsonNode returned;
  private @Nullable End asked;

  TestedStepRun(
      StepRequest request,
      GivenOutputs given,
      StepRetry retry,
      Duration within,
      Consumer<TestedStepRun> onHeartbeat) {
    this.request = request;
    this.retry = retry;
    this.within = within;
    this.attempt =
        new LooseAttempt(
            request,
            given,
            state -> {
              synchronized (this) {
                heartbeats.add(state);
              }
              onHeartbeat.accept(this);
            });
  }

  void begin(StepHandler handler) {
    AttemptCode its =
        of ->
            AttemptCode.returned(handler.run(new StepRunContext(of)))
                .onSuccess(
                    output -> {
                      synchronized (this) {
                        returned = output == null ? null : output.deepCopy();
                      }
                    });
    attempt.run(its).onSuccess(code::complete).onFailure(code::completeExceptionally);
  }

  /** Asks the handler to end as its instance is cancelled; the first such call of a run counts. */
  public void cancel() {
    end(End.CANCELLED);
  }

  /** Asks the handler to end as the timeout of its step has elapsed. */
  public void timeOut() {
    end(End.TIMEOUT);
  }

  /** Asks the handler to end as its node stops or has lost its session. */
  public void lose() {
    end(End.LOST);
  }

  private void end(End by) {
    synchronized (this) {
      asked = asked == null ? by : asked;
    }
    attempt.cancel();
  }

  /** Returns the heartbeats so far. */
  public synchronized List<JsonNode> heartbeats() {
    return List.copyOf(heartbeats);
  }

  /**
   * Waits until the future of the handler has completed.
   *
   * @throws AssertionError if it does not within the time of the test
   */
  public TestedStepOutcome outcome() {
    try {
      return outcome(code.get(within.toNanos(), TimeUnit.NANOSECONDS));
    } catch (TimeoutException e) {
      throw new AssertionError(notEnded(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while the future of the handler is awaited", e);
    } catch (ExecutionException e) {
      throw new AssertionError("the output could not be stored", e);
    }
  }

  private synchronized String notEnded() {
    return "the future of the handler has not completed within %s%s"
        .formatted(
            within, asked == null ? "" : " though it was asked to end (%s)".formatted(asked));
  }

  private synchronized TestedStepOutcome outcome(StepOutcome of) {
    StepOutcome its = of;
    if (asked == End.TIMEOUT) {
      its = StepOutcome.overTime(request.timeout());
    } else if (asked == End.CANCELLED) {
      its = of.inSpiteOfCancellation();
    }
    boolean lost = asked == End.LOST;
    boolean succeeded = !lost && its.kind() == StepOutcome.Kind.SUCCEEDED;
    Duration pause = null;
    if (lost) {
      pause = Duration.ZERO;
    } else if (its.mayRetry() && request.attempt() < retry.attempts()) {
      pause = RetryDelay.longest(retry, request.attempt());
    }
    return new TestedStepOutcome(
        lost ? End.LOST : End.valueOf(its.kind().name()),
        succeeded ? returned : null,
        lost ? "its node stops or has lost its session" : its.error(),
        pause,
        heartbeats);
  }
}
