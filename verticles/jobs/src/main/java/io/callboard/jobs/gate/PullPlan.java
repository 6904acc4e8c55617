package io.callboard.jobs.gate;

import io.callboard.jobs.protocol.BacklogLane;
import io.callboard.time.Machine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decision whether runs of a type and priority are pulled, and which.
 *
 * <p>They are if too few of those that wait in the window may start: what the limit of a label
 * blocks does not count. A lane that such a limit counts, and of which enough wait, is left out, so
 * that the runs behind it are pulled past it. The backlog answers how many it holds of such lanes.
 * Each of them gets runs of its own as soon as too few of it wait, whatever waits beside it. So it
 * does not count for the runs beside it, even if it may start: as long as it gets its own, they
 * would stay in the backlog, though they may be older.
 */
@Machine
final class PullPlan {
  /** Number of lanes that a pull names at most; what others hold is pulled as if none did. */
  static final int MOST_LANES = 200;

  /**
   * How much is pulled for a window of some size.
   *
   * @param few number of runs of a priority, or of a lane, below which others are pulled
   * @param start number of runs that may start, beside the lanes that the backlog holds runs of,
   *     below which others are pulled
   * @param most maximum number of runs of a pull
   * @param ofLane maximum number of those of one lane that limits count
   * @param past whether runs are pulled past those that limits block, of which there are enough
   */
  record Ration(int few, int start, int most, int ofLane, boolean past) {}

  private final GateState state;
  private final GateIndex index;
  private final String type;
  private final BacklogView backlog;
  private final int priority;
  private final Ration ration;

  /** Number of runs to be pulled of the lanes of this priority that are named. */
  private final Map<List<String>, Integer> lanes = new HashMap<>();

  private PullPlan(
      GateState state, GateIndex index, String type, BacklogView backlog, int priority, Ration to) {
    this.state = state;
    this.index = index;
    this.type = type;
    this.backlog = backlog;
    this.priority = priority;
    this.ration = to;
  }

  /** Returns the pull of runs of a priority; null if none are to be pulled, or a pull is open. */
  static GateStep.@Nullable Pull of(
      GateState state, GateIndex index, String type, BacklogView backlog, int priority, Ration to) {
    return backlog.has(priority) && !backlog.pulling()
        ? new PullPlan(state, index, type, backlog, priority, to).pull()
        : null;
  }

  private GateStep.@Nullable Pull pull() {
    List<BacklogLane> known = known();
    for (BacklogLane lane : known) {
      if (lane.priority() == priority) {
        lanes.put(lane.limits(), lane.runs());
      }
    }
    boolean few = isFew();
    boolean wanted = lanes.values().stream().anyMatch(runs -> runs > 0);
    if (!few && !wanted) {
      return null;
    }
    List<BacklogLane> named = new ArrayList<>(known);
    for (List<String> limits : enough(MOST_LANES - known.size())) {
      named.add(new BacklogLane(priority, limits, 0));
      lanes.put(limits, 0);
    }
    boolean others = few && backlog.beside(priority, this::isLeftOut) > 0;
    return others || wanted
        ? new GateStep.Pull(type, priority, ration.most(), List.copyOf(named), !others)
        : null;
  }

  private boolean isFew() {
    return index.waiting(type, priority) < ration.few()
        || (ration.past()
            && index.startable(type, priority, ration.start(), lanes.keySet()) < ration.start());
  }

  /** Returns the lanes that the backlog holds runs of, by the limits there are now. */
  private List<BacklogLane> known() {
    Set<BacklogLane> known = new HashSet<>();
    List<BacklogLane> all = new ArrayList<>();
    for (BacklogLane lane : backlog.lanes()) {
      List<String> limits = limits(lane);
      boolean its = lane.priority() == priority;
      BacklogLane now = new BacklogLane(lane.priority(), limits, its ? lacks(limits) : 0);
      if (!limits.isEmpty() && known.add(now)) {
        all.add(now);
      }
    }
    return all;
  }

  private List<String> limits(BacklogLane lane) {
    return BacklogLanes.within(lane.limits(), state.labelLimits().keySet());
  }

  /** Returns how many runs are to be pulled of a lane. */
  private int lacks(List<String> limits) {
    int waiting = index.due(type, priority).getOrDefault(limits, 0);
    return waiting < ration.few() ? ration.ofLane() : 0;
  }

  /** Returns the lanes of which enough wait, those of which most do first. */
  private List<List<String>> enough(int most) {
    Comparator<Map.Entry<List<String>, Integer>> order =
        Comparator.<Map.Entry<List<String>, Integer>>comparingInt(lane -> -lane.getValue())
            .thenComparing(lane -> String.join("\n", lane.getKey()));
    return index.due(type, priority).entrySet().stream()
        .filter(lane -> !lane.getKey().isEmpty() && !lanes.containsKey(lane.getKey()))
        .filter(lane -> lacks(lane.getKey()) == 0)
        .sorted(order)
        .limit(Math.max(0, most))
        .map(Map.Entry::getKey)
        .toList();
  }

  private boolean isLeftOut(BacklogLane lane) {
    return lanes.getOrDefault(limits(lane), 1) == 0;
  }
}
