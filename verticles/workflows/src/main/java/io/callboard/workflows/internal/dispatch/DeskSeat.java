package io.callboard.workflows.internal.dispatch;

import java.util.Comparator;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Slots of a worker as the desk knows them: its own ones, or those of one of its zones of handlers.
 * None of them takes a slot of another one, so handlers that fill their zone keep no others
 * waiting. Its credit is derived from the runs that it was given, never counted up and down, so
 * that no lost or repeated message can make it wrong. Belongs to its {@link DeskWorkers}.
 */
final class DeskSeat {
  /** Order of seats with credit: the most first; changed only while it is in no set. */
  static final Comparator<DeskSeat> BY_CREDIT =
      Comparator.<DeskSeat>comparingInt(seat -> -seat.credit)
          .thenComparing(seat -> seat.worker.id.node())
          .thenComparing(seat -> seat.worker.id.boot())
          .thenComparing(seat -> seat.zone == null ? "" : seat.zone);

  /** Worker that has the slots. */
  final DeskWorker worker;

  /** Zone of handlers whose slots they are; null for those of the worker itself. */
  final @Nullable String zone;

  /** Types that it was reported with. */
  Set<String> types = Set.of();

  /** Number of runs that it takes at once, as was reported. */
  int slots;

  /** Why there are none, as was reported; null if there are, or it is not known. */
  @Nullable String trouble;

  /** Runs that take one of its slots. */
  final Set<DeskRun> taking = new HashSet<>();

  /** Credit under which it is ordered in its pool; 0 while it is not there. */
  int credit;

  /** Seats of the same types; null before it was reported, or if it is no more. */
  @Nullable WorkerPool pool;

  /** Creates the seat of a worker of which nothing else is known. */
  DeskSeat(DeskWorker worker, @Nullable String zone) {
    this.worker = worker;
    this.zone = zone;
  }

  /** Returns the place of the seat, for people. */
  String place() {
    String node = worker.id.node();
    String where = zone == null ? node : "%s in its zone %s".formatted(node, zone);
    return slots == 0 && trouble != null ? "%s (%s)".formatted(where, trouble) : where;
  }

  @Override
  public String toString() {
    return worker.id + (zone == null ? "" : " " + zone) + " " + taking.size() + "/" + slots;
  }
}
