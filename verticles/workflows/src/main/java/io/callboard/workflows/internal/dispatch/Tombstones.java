package io.callboard.workflows.internal.dispatch;

import io.callboard.time.Machine;
import io.callboard.workflows.internal.protocol.StepRunKey;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Runs that a worker does not begin any more: those it has given back, by the assignment that was
 * revoked, and those that are over. The newest ones are kept.
 */
@Machine
final class Tombstones {
  private static final int MOST = 50_000;

  private final Map<StepRunKey, Stone> stones = new LinkedHashMap<>();

  /** Reason why a run does not begin. */
  enum Kind {
    /** State of a run that never began, and by this assignment never will. */
    NEVER_BEGAN,
    /** State of a run that ended, and of which its instance knows how. */
    SETTLED,
    /** State of a run that began, and of which nobody knows how it ended. */
    LOST
  }

  /**
   * Tombstone of a run.
   *
   * @param kind why it does not begin
   * @param epoch epoch of the assignment
   * @param number number of the assignment
   */
  record Stone(Kind kind, long epoch, long number) {
    /** Returns whether the tombstone forbids an assignment. */
    boolean forbids(long itsEpoch, long itsNumber) {
      return kind != Kind.NEVER_BEGAN
          || itsEpoch < epoch
          || (itsEpoch == epoch && itsNumber <= number);
    }
  }

  /**
   * Adds a tombstone, in place of an earlier one of the run; assignments that the earlier one
   * forbids remain forbidden, as orders may come late and not in their order.
   */
  void put(StepRunKey key, Kind kind, long epoch, long number) {
    Stone before = stones.remove(key);
    long most = before != null && before.epoch() == epoch ? before.number() : number;
    stones.put(key, new Stone(kind, epoch, Math.max(most, number)));
    if (stones.size() > MOST) {
      Iterator<StepRunKey> oldest = stones.keySet().iterator();
      oldest.next();
      oldest.remove();
    }
  }

  /** Returns the tombstone of a run; null if there is none. */
  @Nullable Stone of(StepRunKey key) {
    return stones.get(key);
  }
}
