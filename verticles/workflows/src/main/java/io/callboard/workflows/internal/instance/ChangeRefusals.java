package io.callboard.workflows.internal.instance;

import io.callboard.time.Machine;
import io.callboard.workflows.graph.StepState;
import io.callboard.workflows.internal.protocol.InstanceData;
import io.callboard.workflows.internal.protocol.InstanceEvent;
import io.callboard.workflows.internal.protocol.InstanceStop;
import io.callboard.workflows.internal.protocol.StepRecord;
import io.callboard.workflows.model.InstanceState;
import java.util.Optional;
import java.util.stream.IntStream;

/** Reasons why an instance refuses the request of a user, by its state; empty for none. */
@Machine
public final class ChangeRefusals {
  private ChangeRefusals() {}

  /**
   * Returns why the instance cannot be cancelled. One that was cancelled takes that again, also
   * after its end: whoever lost the answer gets it.
   *
   * @param force whether its finally steps and its compensation are to be cancelled, too
   */
  public static Optional<String> ofCancel(InstanceData data, boolean force) {
    InstanceState state = data.state();
    boolean again =
        state == InstanceState.CANCELLED
            || data.forcedBy() != null
            || (!state.isEnded() && data.stop() == InstanceStop.CANCEL);
    if (again) {
      return Optional.empty();
    } else if (data.undoing() != null && !force && !state.isEnded()) {
      return Optional.of("it has failed, and undoes what succeeded; " + ForcedEnd.WAY);
    }
    return unless(!state.isEnded(), state, "it cannot be cancelled");
  }

  /** Returns why what failed cannot run again. */
  public static Optional<String> ofRetry(InstanceData data) {
    InstanceState state = data.state();
    return unless(
        state == InstanceState.FAILED || state == InstanceState.CANCELLED,
        state,
        "only one that is FAILED or CANCELLED can be retried");
  }

  /** Returns why the instance cannot run again from a step. */
  public static Optional<String> ofRerun(InstanceData data) {
    return unless(
        data.state().isEnded(),
        data.state(),
        "only one that has ended can be run again from a step");
  }

  /**
   * Returns why an instance cannot run again from a step: with {@code failFast}, a failure that
   * stays would cancel the step, or one behind it that had succeeded, before it begins.
   */
  public static Optional<String> ofRerun(InstanceProgress its, Reopening rerun) {
    InstanceEvent begin =
        new InstanceEvent.Reopened(
            rerun.from(), rerun.steps(), its.data().created().createdAt(), null);
    InstanceProgress next =
        new InstanceProgress(its.definition(), its.inputs(), InstanceFold.apply(its.data(), begin));
    boolean drops =
        rerun.steps().stream()
            .map(id -> its.definition().graph().index(id).orElseThrow())
            .filter(next.run()::drops)
            .anyMatch(step -> its.id(step).equals(rerun.from()) || isDone(its.record(step)));
    return drops
        ? IntStream.range(0, its.definition().graph().size())
            .filter(next.run()::fails)
            .mapToObj(its::id)
            .findFirst()
            .map(
                step ->
                    "step %s has failed, which ends an instance with failFast: retry the instance, or run it again from that step or one before it"
                        .formatted(step))
        : Optional.empty();
  }

  private static boolean isDone(StepRecord step) {
    return step.state() == StepState.SUCCEEDED && step.undo() == null;
  }

  /** Returns why the instance cannot be deleted. */
  public static Optional<String> ofDelete(InstanceData data) {
    return unless(data.state().isEnded(), data.state(), "only one that has ended can be deleted");
  }

  private static Optional<String> unless(boolean good, InstanceState state, String otherwise) {
    return good
        ? Optional.empty()
        : Optional.of("the instance is %s: %s".formatted(state, otherwise));
  }
}
