package io.callboard.workflows.internal.dispatch;

import io.callboard.workflows.internal.protocol.StepOutcome;
import io.callboard.workflows.internal.protocol.StepRequest;
import io.callboard.workflows.internal.protocol.StepRunKey;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Effect of a decision of a worker. */
public sealed interface WorkerEffect {
  /**
   * Begins a run; its end is to be passed to {@link WorkerMachine#over}, or to {@link
   * WorkerMachine#notBegun} if it could not begin.
   *
   * @param request the run
   * @param zone zone of handlers to which it was assigned; null for none
   */
  record Begin(StepRequest request, @Nullable String zone) implements WorkerEffect {}

  /**
   * Asks the instance of a run whether it is open; an answer is to be passed to {@link
   * WorkerMachine#asked}.
   *
   * @param key the run
   */
  record Ask(StepRunKey key) implements WorkerEffect {}

  /**
   * Reports to people that a run was given back, as its instance does not answer.
   *
   * @param key the run
   * @param why why, for people
   */
  record Unanswered(StepRunKey key, String why) implements WorkerEffect {}

  /**
   * Asks the handler of a run to end.
   *
   * @param key the run
   */
  record Cancel(StepRunKey key) implements WorkerEffect {}

  /**
   * Stops the attempt of a run, whose handler has not ended in time.
   *
   * @param key the run
   */
  record Stop(StepRunKey key) implements WorkerEffect {}

  /**
   * Reports the end of a run to its instance; the outcome of that is to be passed to {@link
   * WorkerMachine#reported}.
   *
   * @param request the run
   * @param outcome how it ended
   */
  record Report(StepRequest request, StepOutcome outcome) implements WorkerEffect {}

  /**
   * Reports to people that no run is taken in a zone for a while, because one could not begin
   * there.
   *
   * @param zone the zone of handlers; null for that of the steps
   * @param why why it could not begin
   * @param time for how long
   */
  record Rest(@Nullable String zone, String why, Duration time) implements WorkerEffect {}
}
