package io.callboard.jobs.gate;

import io.callboard.jobs.model.JobType;
import io.callboard.jobs.protocol.GateEvent;
import io.callboard.jobs.protocol.WaitingRun;
import io.callboard.time.Machine;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Waiting runs whose arguments cannot be read by any host that would take them. A host of another
 * version may come, so they wait for {@link #PATIENCE}. Each lane has one wait: what joins it while
 * it lasts has learned the same of the same hosts. It is volatile, so a new gate waits anew.
 */
@Machine
final class UnreadableRuns {
  /** Time in which a rolling upgrade brings a first host, and after which a mistake is told. */
  static final Duration PATIENCE = Duration.ofMinutes(5);

  /** Since when no host is left, by what the runs require. */
  private final Map<Map<String, String>, Long> sinceNs = new HashMap<>();

  /**
   * Looks for what no host is left. A type that is paused waits for its operator.
   *
   * @param takers hosts that take runs
   */
  void look(
      GateState state,
      GateIndex index,
      Collection<HostView> takers,
      HostLabels labels,
      long nowNs) {
    Set<Map<String, String>> none = new HashSet<>();
    for (RunLane lane : index.lanes().keySet()) {
      JobType type = state.types().get(lane.type());
      if (HandlerNeed.areUnreadable(lane.requires())
          && type != null
          && !type.paused()
          && !isMet(lane.requires(), takers, labels)
          && isMet(HandlerNeed.readable(lane.requires()), takers, labels)) {
        none.add(lane.requires());
      }
    }
    sinceNs.keySet().retainAll(none);
    none.forEach(requires -> sinceNs.putIfAbsent(requires, nowNs));
  }

  private static boolean isMet(
      Map<String, String> requires, Collection<HostView> takers, HostLabels labels) {
    return takers.stream().anyMatch(host -> labels.meets(host.name(), requires));
  }

  /** Expires what has waited too long, until there are so many decisions. */
  void expire(GateIndex index, GateState state, long nowNs, int most, List<GateStep> decisions) {
    for (Map.Entry<RunLane, NavigableMap<Long, String>> lane : index.lanes().entrySet()) {
      Long since = sinceNs.get(lane.getKey().requires());
      if (since == null || nowNs - since < PATIENCE.toNanos()) {
        continue;
      }
      for (String job : lane.getValue().values()) {
        WaitingRun waiting = state.waiting().get(job);
        if (decisions.size() >= most) {
          return;
        } else if (waiting != null) {
          decisions.add(new GateStep.Expire(new GateEvent.Withdrawn(job), waiting.runId(), true));
        }
      }
    }
  }

  /** Returns since when no host is left for what a run requires; null if one is. */
  @Nullable Instant since(Map<String, String> requires, Instant now, long nowNs) {
    Long since = sinceNs.get(requires);
    return since == null ? null : now.minusNanos(nowNs - since);
  }
}
