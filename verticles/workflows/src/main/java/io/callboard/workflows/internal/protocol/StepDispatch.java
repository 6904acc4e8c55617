package io.callboard.workflows.internal.protocol;

import io.vertx.core.Future;
import java.util.List;

/**
 * Port through which instances of this node have their steps run by workers. Thread-safe.
 *
 * <p>How a run goes on is reported through {@link StepReports}.
 */
public interface StepDispatch {
  /**
   * Requests a run. Idempotent by {@link StepRequest#key}: a run that is queued, assigned or
   * running already stays where it is.
   *
   * @return completes with the desk's answer; fails if there is none in time, and the request is to
   *     be repeated
   */
  Future<RequestAnswer> request(StepRequest request);

  /**
   * Asks that a run ends. One that waits leaves its queue; one that runs has its {@code
   * cancelled()} completed and is stopped after a grace. Either way it is reported done, as
   * CANCELLED unless it ended otherwise first. Idempotent; a run that the desk does not know is
   * reported CANCELLED.
   *
   * @return completes when the desk knows; fails if it does not answer in time, or refuses because
   *     too many wait while it learns what runs, and is to be repeated
   */
  Future<Void> cancel(StepRunKey run);

  /** Completes with where the requested runs of an instance are, as the desk knows it. */
  Future<List<RunPlace>> places(String instance);

  /**
   * Calls {@code listener}, on any thread, whenever another desk has taken over: all open requests
   * are to be repeated.
   *
   * @return removes it
   */
  Runnable onNewDesk(Runnable listener);
}
