package io.callboard.workflows.instance;

import io.callboard.time.Machine;
import io.callboard.workflows.model.InstanceState;
import io.callboard.workflows.protocol.InstanceData;
import java.util.Optional;

/** Reasons for which an instance refuses what a user asks for, by its state; empty for none. */
@Machine
public final class ChangeRefusals {
  private ChangeRefusals() {}

  /**
   * Returns why the instance cannot be cancelled.
   *
   * @param force whether its finally steps and its compensation are to be cancelled, too
   */
  public static Optional<String> ofCancel(InstanceData data, boolean force) {
    InstanceState state = data.state();
    if (data.undoing() != null && !force && data.forcedBy() == null) {
      return Optional.of(
          "it has failed or was cancelled already, and undoes what succeeded; " + ForcedEnd.WAY);
    }
    return unless(
        !state.isEnded() || state == InstanceState.CANCELLED, state, "it cannot be cancelled");
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
