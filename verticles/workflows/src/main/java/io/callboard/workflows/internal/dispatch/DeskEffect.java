package io.callboard.workflows.internal.dispatch;

import io.callboard.workflows.internal.protocol.StepRunKey;
import io.callboard.workflows.internal.protocol.WorkerCommand;
import io.callboard.workflows.internal.protocol.WorkerId;
import org.jspecify.annotations.Nullable;

/** Effect of a decision of the desk. */
public sealed interface DeskEffect {
  /**
   * Order to a worker.
   *
   * @param worker the worker
   * @param order the order
   */
  record Tell(WorkerId worker, WorkerCommand.Order order) implements DeskEffect {}

  /**
   * Note to a worker that does not know this desk.
   *
   * @param worker the worker
   */
  record Greet(WorkerId worker) implements DeskEffect {}

  /**
   * Report to an instance that a run is lost; its outcome is to be passed to {@link
   * WorkMachine#reported}.
   *
   * @param run the run
   * @param node name of the node of the instance; null if it is not known
   * @param cause why, for people
   */
  record Lost(StepRunKey run, @Nullable String node, String cause) implements DeskEffect {}

  /**
   * Report to an instance that a run was cancelled before it began, or is lost after it was
   * cancelled; its outcome is to be passed to {@link WorkMachine#reported}.
   *
   * @param run the run
   * @param node name of the node of the instance; null if it is not known
   * @param cause why, for people
   */
  record Cancelled(StepRunKey run, @Nullable String node, String cause) implements DeskEffect {}

  /**
   * Request to make the boot of a worker durable; {@link WorkMachine#enrolled} follows, or {@link
   * WorkMachine#presentIs} if another desk is present.
   *
   * @param worker the worker
   * @param number number of the request, rising within a desk
   */
  record Enroll(WorkerId worker, long number) implements DeskEffect {}

  /**
   * Request to forget the boot of a worker, which holds no run any more.
   *
   * @param boot boot id
   * @param number number of the request; it has no effect after a later {@link Enroll} of the boot
   */
  record Forget(String boot, long number) implements DeskEffect {}
}
