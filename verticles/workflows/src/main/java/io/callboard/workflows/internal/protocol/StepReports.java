package io.callboard.workflows.internal.protocol;

import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/**
 * Port through which workers and jobs report runs of steps to their instances. Thread-safe.
 *
 * <p>A future that succeeds means durable; a report whose future fails is to be repeated, with a
 * pause, until it succeeds. Repeated reports do no harm.
 */
public interface StepReports {
  /**
   * Reports that a worker has begun a run. Shown to people; not durable, not repeated.
   *
   * @param node {@link StepRequest#node} of the run
   * @param worker name of the worker
   */
  void accepted(StepRunKey run, String node, String worker);

  /**
   * Records that a desk gives a run of an instance of this node to a worker.
   *
   * @param worker life of the worker
   */
  void given(StepRunKey run, WorkerId worker);

  /**
   * Completes with whether the instance of a run still waits for it; fails if there is no answer in
   * time.
   */
  Future<Boolean> isOpen(StepRunKey run);

  /**
   * Reports that a run has ended. An output over its limit becomes a failure that says so.
   *
   * @param node {@link StepRequest#node} of the run; null if it is not known
   * @param worker name of the worker; null for none
   */
  Future<Void> done(
      StepRunKey run, @Nullable String node, @Nullable String worker, StepOutcome outcome);

  /**
   * Reports that a run does not run and never will, and that nobody knows how it ended.
   *
   * @param node {@link StepRequest#node} of the run; null if it is not known
   * @param cause why, for people
   */
  Future<Void> lost(StepRunKey run, @Nullable String node, String cause);
}
