package io.callboard.workflows.internal.dispatch;

import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.PriorityAging;
import io.callboard.time.Machine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Waiting runs of one definition and type, in a lane for each priority.
 *
 * <p>Order: effective priority ({@link PriorityAging}), then arrival. The oldest run of a lane has
 * the highest effective priority of it, so only the first ones are compared. O(log n) a call.
 */
@Machine
final class RunLanes {
  private final List<TreeMap<Long, DeskRun>> lanes = new ArrayList<>();
  private int size;

  /** Creates empty lanes. */
  RunLanes() {
    for (int priority = 0; priority <= JobSpec.MOST_PRIORITY; priority++) {
      lanes.add(new TreeMap<>());
    }
  }

  /** Adds a run. */
  void add(DeskRun run) {
    if (lane(run).put(run.arrival, run) == null) {
      size++;
    }
  }

  /** Removes a run; does nothing if it is not there. */
  void remove(DeskRun run) {
    if (lane(run).remove(run.arrival) != null) {
      size--;
    }
  }

  /** Returns the number of runs. */
  int size() {
    return size;
  }

  /** Returns the run that is next; null if there is none. */
  @Nullable DeskRun first(long nowNs) {
    DeskRun best = null;
    for (TreeMap<Long, DeskRun> lane : lanes) {
      if (!lane.isEmpty()) {
        DeskRun run = lane.firstEntry().getValue();
        best = best == null || goesBefore(run, best, nowNs) ? run : best;
      }
    }
    return best;
  }

  /** Returns the arrival of the oldest run, by the desk's clock; null if there is none. */
  @Nullable Long oldestNs() {
    return lanes.stream()
        .filter(lane -> !lane.isEmpty())
        .map(lane -> lane.firstEntry().getValue().arrivedNs)
        .min(Long::compare)
        .orElse(null);
  }

  /** Returns how many runs of its lane arrived before a run, counting to {@code most}. */
  int ahead(DeskRun run, int most) {
    int count = 0;
    for (long arrival : lane(run).keySet()) {
      if (arrival >= run.arrival || count == most) {
        break;
      }
      count++;
    }
    return count;
  }

  /** Returns whether a run goes before another. */
  static boolean goesBefore(DeskRun run, DeskRun other, long nowNs) {
    int priority = effective(run, nowNs);
    int its = effective(other, nowNs);
    return priority > its || (priority == its && run.arrival < other.arrival);
  }

  /** Returns the effective priority of a run. */
  static int effective(DeskRun run, long nowNs) {
    return PriorityAging.effective(base(run), Duration.ofNanos(nowNs - run.arrivedNs));
  }

  private TreeMap<Long, DeskRun> lane(DeskRun run) {
    return lanes.get(base(run));
  }

  private static int base(DeskRun run) {
    int priority = Objects.requireNonNull(run.request).priority();
    return Math.max(0, Math.min(JobSpec.MOST_PRIORITY, priority));
  }
}
