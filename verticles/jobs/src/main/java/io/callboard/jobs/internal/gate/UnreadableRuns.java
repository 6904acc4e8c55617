package io.callboard.jobs.internal.gate;

import io.callboard.jobs.internal.protocol.GateEvent;
import io.callboard.jobs.internal.protocol.WaitingRun;
import io.callboard.jobs.model.JobType;
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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Waiting runs whose arguments cannot be read by any host of the cell that offers their handler. A
 * host of another version may come, so each waits for {@link #PATIENCE} since it was given back
 * last, and as long in which no such host was there. It is volatile, so a new gate waits anew.
 */
@Machine
final class UnreadableRuns {
  /** Time in which a rolling upgrade brings a first host, and after which a mistake is told. */
  static final Duration PATIENCE = Duration.ofMinutes(5);

  /** Time for which a wait goes on while a lane is empty: its backlog may hold others. */
  private static final Duration EMPTY = Duration.ofMinutes(1);

  /** Runs that need the same, whatever limits count them. */
  private record Need(String type, Map<String, String> requires) {
    static Need of(RunLane lane) {
      return new Need(lane.type(), lane.requires());
    }
  }

  private static final class Wait {
    final long sinceNs;
    long seenNs;

    Wait(long nowNs) {
      sinceNs = nowNs;
      seenNs = nowNs;
    }
  }

  private final Map<Need, Wait> waits = new HashMap<>();

  /** Marks of the boots of members that gave runs of a type back, by the type. */
  private final Map<String, Set<String>> refusing = new HashMap<>();

  /** Marks of the boots of members. */
  private Set<String> live = Set.of();

  /** Sets the boots of the members, and forgets others. */
  void retain(Set<String> boots) {
    live = boots.stream().map(HandlerNeed::mark).collect(Collectors.toSet());
    refusing.values().forEach(marks -> marks.retainAll(live));
    refusing.values().removeIf(Set::isEmpty);
  }

  /**
   * Returns whether a host gave a run of a type back. It is chosen for those that another gave back
   * only if no other has a slot, as it is free again at once and would be given each of them.
   */
  boolean isLast(HostView host, String type, HostLabels labels) {
    Set<String> marks = refusing.get(type);
    return marks != null && marks.contains(labels.mark(host.name()));
  }

  /**
   * Finds the runs for which no host is left, not even one that drains or is silent. A type that is
   * paused waits for its operator.
   *
   * @param hosts all hosts that are members
   * @param takers hosts that take runs
   */
  void look(
      GateState state,
      GateIndex index,
      Collection<HostView> hosts,
      Collection<HostView> takers,
      HostLabels labels,
      long nowNs) {
    List<RunLane> lanes =
        index.lanes().keySet().stream()
            .filter(lane -> HandlerNeed.areUnreadable(lane.requires()))
            .toList();
    lanes.forEach(this::learn);
    Map<Need, Boolean> looked = new HashMap<>();
    for (RunLane lane : lanes) {
      looked.computeIfAbsent(Need.of(lane), need -> isLeft(state, need, hosts, takers, labels));
    }
    looked.forEach(
        (need, left) -> {
          if (left) {
            waits.computeIfAbsent(need, its -> new Wait(nowNs)).seenNs = nowNs;
          } else {
            waits.remove(need);
          }
        });
    waits.values().removeIf(wait -> nowNs - wait.seenNs > EMPTY.toNanos());
  }

  private void learn(RunLane lane) {
    List<String> marks =
        HandlerNeed.marks(lane.requires()).stream().filter(live::contains).toList();
    if (!marks.isEmpty()) {
      refusing.computeIfAbsent(lane.type(), type -> new HashSet<>()).addAll(marks);
    }
  }

  /** Returns whether a run must wait for a host that has not come yet. */
  private boolean isLeft(
      GateState state,
      Need need,
      Collection<HostView> hosts,
      Collection<HostView> takers,
      HostLabels labels) {
    JobType type = state.types().get(need.type());
    return type != null
        && !type.paused()
        && hosts.stream().noneMatch(host -> mayTake(host, need, labels))
        && takers.stream()
            .anyMatch(host -> labels.meets(host.name(), HandlerNeed.readable(need.requires())));
  }

  private boolean mayTake(HostView host, Need need, HostLabels labels) {
    return labels.meets(host.name(), need.requires())
        && !(HandlerNeed.isFull(need.requires()) && isLast(host, need.type(), labels));
  }

  /**
   * Expires the runs that have been without a host for too long since they were given back, until
   * there are {@code most} decisions.
   */
  void expire(
      GateIndex index,
      GateState state,
      Instant now,
      long nowNs,
      int most,
      List<GateStep> decisions) {
    if (waits.isEmpty()) {
      return;
    }
    Instant before = now.minus(PATIENCE);
    for (Map.Entry<RunLane, NavigableMap<Long, String>> lane : index.lanes().entrySet()) {
      Wait wait = waits.get(Need.of(lane.getKey()));
      if (wait == null || nowNs - wait.sinceNs < PATIENCE.toNanos()) {
        continue;
      }
      for (String job : lane.getValue().values()) {
        WaitingRun waiting = state.waiting().get(job);
        if (decisions.size() >= most) {
          return;
        } else if (waiting != null && !waiting.at().isAfter(before)) {
          decisions.add(new GateStep.Expire(new GateEvent.Withdrawn(job), waiting.runId(), true));
        }
      }
    }
  }

  /** Returns since when no host is left for a waiting run; null if a host is left. */
  @Nullable Instant since(WaitingRun waiting, Instant now, long nowNs) {
    Wait wait = waits.get(new Need(waiting.type(), waiting.requires()));
    if (wait == null) {
      return null;
    }
    Instant since = now.minusNanos(nowNs - wait.sinceNs);
    return since.isBefore(waiting.at()) ? waiting.at() : since;
  }
}
