package io.callboard.jobs.internal.gate;

import io.callboard.jobs.internal.protocol.WaitingRun;
import io.callboard.time.Machine;
import java.util.HashMap;
import java.util.Map;

/** Numbers of waiting runs by type and priority, and of due runs also by lane. */
@Machine
final class WaitingCounts {
  private record OfType(String type, int priority) {}

  private final Map<OfType, Integer> all = new HashMap<>();
  private final Map<OfType, Map<RunLane, Integer>> due = new HashMap<>();

  void clear() {
    all.clear();
    due.clear();
  }

  /** Counts a run, due or not. */
  void add(WaitingRun run, int by) {
    OfType its = new OfType(run.type(), run.priority());
    if (all.merge(its, by, Integer::sum) == 0) {
      all.remove(its);
    }
  }

  /** Counts a due run, in its lane. */
  void addDue(RunLane lane, int by) {
    OfType its = new OfType(lane.type(), lane.priority());
    Map<RunLane, Integer> lanes = due.computeIfAbsent(its, key -> new HashMap<>());
    if (lanes.merge(lane, by, Integer::sum) == 0) {
      lanes.remove(lane);
    }
    if (lanes.isEmpty()) {
      due.remove(its);
    }
  }

  int all(String type, int priority) {
    return all.getOrDefault(new OfType(type, priority), 0);
  }

  /** Returns the numbers of due runs by lane. */
  Map<RunLane, Integer> due(String type, int priority) {
    return due.getOrDefault(new OfType(type, priority), Map.of());
  }
}
