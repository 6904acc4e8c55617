package io.callboard.workflows.internal.index;

import io.callboard.time.Machine;
import io.callboard.workflows.model.InstanceRow;
import io.callboard.workflows.model.InstanceState;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Instance that has ended, as the retention sees it.
 *
 * @param id id of the instance
 * @param change number of its last change
 * @param state its state
 * @param parent id of the instance that it is a step of; null for none
 * @param endedAt time of its end
 */
@Machine
public record EndedInstance(
    String id, long change, InstanceState state, @Nullable String parent, Instant endedAt) {
  /** Returns whether a row is of an instance that has ended. */
  static boolean isEnded(InstanceRow row) {
    return row.state().isEnded() && row.endedAt() != null;
  }

  /** Returns the instance of a row, which has ended. */
  static EndedInstance of(InstanceRow row) {
    return new EndedInstance(
        row.id(), row.change(), row.state(), row.parent(), Objects.requireNonNull(row.endedAt()));
  }
}
