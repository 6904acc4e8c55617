package io.callboard.workflows.internal.dispatch;

import io.callboard.workflows.internal.protocol.StepRunKey;
import io.callboard.workflows.internal.protocol.WorkerId;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Worker as the desk knows it, with its own slots and those of its zones of handlers. Belongs to
 * its {@link DeskWorkers}.
 */
final class DeskWorker {
  /** Life of the worker that was heard last. */
  WorkerId id;

  /** Types that it has reported, of all its seats. */
  Set<String> types = Set.of();

  /** Its own slots. */
  final DeskSeat own = new DeskSeat(this, null);

  /** Slots of its zones of handlers, by zone. */
  final Map<String, DeskSeat> zones = new TreeMap<>();

  /** Whether it takes none because it is drained. */
  boolean draining;

  /** Whether its boot is durable, so that it may be given runs. */
  boolean enrolled;

  /** When the registry was asked last to make this life durable; null for never. */
  @Nullable Long askedNs;

  /** Number of its last news. */
  long seq;

  /** Whether another life of it has begun, of which nothing is known yet. */
  boolean restarted;

  /** Whether its news are being read. */
  boolean reports;

  /** When it was heard last. */
  long heardNs;

  /** Since when its node is no member; null while it is one. */
  @Nullable Long goneNs;

  /** Runs that it was given and that are not over. */
  final Map<StepRunKey, DeskRun> runs = new HashMap<>();

  /** Creates a worker of which nothing else is known. */
  DeskWorker(WorkerId id, long nowNs) {
    this.id = id;
    this.heardNs = nowNs;
  }

  /** Returns the seat of a zone of handlers, a new one if it has none; its own for null. */
  DeskSeat seat(@Nullable String zone) {
    return zone == null ? own : zones.computeIfAbsent(zone, name -> new DeskSeat(this, name));
  }

  /** Calls {@code each} with each of its seats, its own first. */
  void forEachSeat(Consumer<DeskSeat> each) {
    each.accept(own);
    zones.values().forEach(each);
  }

  /** Returns the seat that is in a pool; null if none is. */
  @Nullable DeskSeat seatIn(WorkerPool pool) {
    if (own.pool == pool) {
      return own;
    }
    for (DeskSeat seat : zones.values()) {
      if (seat.pool == pool) {
        return seat;
      }
    }
    return null;
  }

  @Override
  public String toString() {
    return own + (zones.isEmpty() ? "" : " " + zones.values());
  }
}
