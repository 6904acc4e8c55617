package io.callboard.workflows.internal.index;

import io.callboard.time.Machine;
import io.callboard.workflows.model.InstanceState;
import java.time.Instant;
import java.util.Comparator;

/**
 * Order in which ended instances are removed: those that are too old, then those that SUCCEEDED,
 * then the others; of each the oldest end first.
 *
 * @param cutoff time before which instances that ended are too old
 */
@Machine
public record EndedOrder(Instant cutoff) implements Comparator<EndedInstance> {
  /** Order by the end; ids, which are unique, decide between equal ends. */
  static final Comparator<EndedInstance> OLDEST_FIRST =
      Comparator.comparing(EndedInstance::endedAt).thenComparing(EndedInstance::id);

  /** Returns whether an instance is too old. */
  public boolean isTooOld(EndedInstance instance) {
    return instance.endedAt().isBefore(cutoff);
  }

  private int rank(EndedInstance instance) {
    if (isTooOld(instance)) {
      return 0;
    }
    return instance.state() == InstanceState.SUCCEEDED ? 1 : 2;
  }

  @Override
  public int compare(EndedInstance one, EndedInstance other) {
    int byRank = Integer.compare(rank(one), rank(other));
    return byRank != 0 ? byRank : OLDEST_FIRST.compare(one, other);
  }
}
