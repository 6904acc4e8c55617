package io.callboard.jobs.internal.gate;

import io.callboard.jobs.internal.protocol.BacklogLane;
import io.callboard.time.Machine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether runs of a type and priority are pulled, and which.
 *
 * <p>They are if too few of those that wait in the window may start: what the limit of a label
 * blocks does not count, nor what no host offers. A lane that such a limit counts, or of which no
 * host offers what it requires, and of which enough wait, is left out, so that the runs behind it
 * are pulled past it. The backlog answers how many it holds of such lanes. Each of them gets runs
 * of its own as soon as too few of it wait, whatever waits beside it. So it does not count for the
 * runs beside it, even if it may start: as long as it gets its own, they would stay in the backlog,
 * though they may be older.
 *
 * <p>So a requirement counts a lane like a limit: while no host offers it, and as long after that
 * as the backlog holds runs that were left out for it. Otherwise runs of all requirements are one
 * lane.
 */
@Machine
final class PullPlan {
  /** Number of lanes that a pull names at most; what others hold is pulled as if none did. */
  static final int MOST_LANES = 200;

  /**
   * Numbers of runs to pull for a window of some size.
   *
   * @param few number of runs of a priority, or of a lane, below which others are pulled
   * @param start number of runs that may start, beside the lanes that the backlog holds runs of,
   *     below which others are pulled
   * @param most maximum number of runs of a pull
   * @param ofLane maximum number of those of one lane that limits, or a requirement, count
   * @param past whether runs are pulled past those that are blocked, of which there are enough
   */
  record Ration(int few, int start, int most, int ofLane, boolean past) {}

  private final GateState state;
  private final GateIndex index;
  private final HostLabels hosts;
  private final String type;
  private final BacklogView backlog;
  private final int priority;
  private final Ration ration;

  /** Number of runs to be pulled of the lanes of this priority that are named. */
  private final Map<List<String>, Integer> lanes = new HashMap<>();

  /** Requirements that runs were left out for, which the backlog holds. */
  private final Set<String> leftFor = new HashSet<>();

  /** Number of due runs of this priority by what counts them; null if it was not needed yet. */
  private @Nullable Map<List<String>, Integer> due;

  private PullPlan(
      GateState state,
      GateIndex index,
      HostLabels hosts,
      String type,
      BacklogView backlog,
      int priority,
      Ration to) {
    this.state = state;
    this.index = index;
    this.hosts = hosts;
    this.type = type;
    this.backlog = backlog;
    this.priority = priority;
    this.ration = to;
    for (BacklogLane lane : backlog.lanes()) {
      lane.limits().stream().filter(RunLane::isRequirement).forEach(leftFor::add);
    }
  }

  /** Returns the pull of runs of a priority; null if none are to be pulled, or a pull is open. */
  static GateStep.@Nullable Pull of(
      GateState state,
      GateIndex index,
      HostLabels hosts,
      String type,
      BacklogView backlog,
      int priority,
      Ration to) {
    return backlog.has(priority) && !backlog.pulling()
        ? new PullPlan(state, index, hosts, type, backlog, priority, to).pull()
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
            && index.startable(type, priority, ration.start(), this::mayStart) < ration.start());
  }

  /** Returns what counts a lane; empty if no host offers what it requires, or it is left out. */
  private Optional<List<String>> mayStart(RunLane lane) {
    if (!hosts.offer(lane.requires())) {
      return Optional.empty();
    }
    List<String> limits = limits(lane);
    return lanes.containsKey(limits) ? Optional.empty() : Optional.of(limits);
  }

  /** Returns what counts a lane of the window now. */
  private List<String> limits(RunLane lane) {
    return !hosts.offer(lane.requires()) || lane.limits().stream().anyMatch(leftFor::contains)
        ? lane.limits()
        : lane.labels();
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
    return lane.limits().stream()
        .filter(name -> RunLane.isRequirement(name) || state.labelLimits().containsKey(name))
        .toList();
  }

  /** Returns how many runs are to be pulled of a lane. */
  private int lacks(List<String> limits) {
    int waiting = due().getOrDefault(limits, 0);
    return waiting < ration.few() ? ration.ofLane() : 0;
  }

  private Map<List<String>, Integer> due() {
    Map<List<String>, Integer> known = due;
    if (known == null) {
      known = new HashMap<>();
      for (Map.Entry<RunLane, Integer> lane : index.due(type, priority).entrySet()) {
        known.merge(limits(lane.getKey()), lane.getValue(), Integer::sum);
      }
      due = known;
    }
    return known;
  }

  /** Returns the lanes of which enough wait, those of which most do first. */
  private List<List<String>> enough(int most) {
    Comparator<Map.Entry<List<String>, Integer>> order =
        Comparator.<Map.Entry<List<String>, Integer>>comparingInt(lane -> -lane.getValue())
            .thenComparing(lane -> String.join("\n", lane.getKey()));
    return due().entrySet().stream()
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
