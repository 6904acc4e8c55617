package io.callboard.workflows.work;

import io.callboard.workflows.protocol.StepOutcome;
import io.callboard.workflows.protocol.StepRequest;
import io.callboard.workflows.protocol.StepRunKey;

/** Effect of a decision of a worker. */
public sealed interface WorkerEffect {
  /**
   * Begins a run; its end is to be passed to {@link WorkerMachine#over}.
   *
   * @param request the run
   */
  record Begin(StepRequest request) implements WorkerEffect {}

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
}
