package io.callboard.dashboard.internal.bulk;

import static io.callboard.workflows.model.InstanceState.CANCELLED;
import static io.callboard.workflows.model.InstanceState.FAILED;
import static io.callboard.workflows.model.InstanceState.RUNNING;

import io.callboard.dashboard.internal.contract.Role;
import io.callboard.workflows.model.InstanceState;
import java.util.List;
import java.util.stream.Stream;

/** Action on many instances of workflows, done to each as to one alone. */
public enum WorkflowAction implements BulkAction<InstanceState> {
  /** Cancels instances that run. */
  CANCEL,
  /** Runs again what failed or was cancelled in instances. */
  RETRY,
  /** Deletes instances that have ended. */
  DELETE;

  @Override
  public List<InstanceState> states() {
    return switch (this) {
      case CANCEL -> List.of(RUNNING);
      case RETRY -> List.of(FAILED, CANCELLED);
      case DELETE -> Stream.of(InstanceState.values()).filter(InstanceState::isEnded).toList();
    };
  }

  @Override
  public Role role() {
    return this == DELETE ? Role.ADMIN : Role.OPERATOR;
  }
}
