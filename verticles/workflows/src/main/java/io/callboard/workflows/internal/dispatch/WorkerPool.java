package io.callboard.workflows.internal.dispatch;

import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Seats of workers that offer the same types: between them it does not matter where a run goes, and
 * in them definitions share fairly. Belongs to its {@link DeskWorkers}.
 */
final class WorkerPool {
  /** Types that they offer, as steps name them: with the major version and without. */
  final Set<String> types;

  /** Seats of these workers that have credit. */
  final TreeSet<DeskSeat> free = new TreeSet<>(DeskSeat.BY_CREDIT);

  /** Definitions that wait for one of the types. */
  final FairShare share = new FairShare();

  /** Number of seats. */
  int seats;

  /** Creates a pool without seats. */
  WorkerPool(Set<String> types) {
    this.types = types;
  }

  /**
   * Returns the seat for a run: the one with the most credit, unless that of the run's own node has
   * half as much at least; null if none has any.
   *
   * @param local worker of the node of the run's instance; null if there is none
   */
  @Nullable DeskSeat choose(@Nullable DeskWorker local) {
    if (free.isEmpty()) {
      return null;
    }
    DeskSeat most = free.first();
    DeskSeat near = local == null ? null : local.seatIn(this);
    return near != null && near.credit * 2 >= most.credit ? near : most;
  }
}
