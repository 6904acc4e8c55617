package io.callboard.jobs;

import io.callboard.jobs.GateState.Waiting;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Decides which waiting runs go, and where. Pure: state, live hosts and the time in, decisions out.
 *
 * <p>Order: effective priority, then enqueue order. The effective priority rises by one for each
 * {@link #AGING} of waiting, up to the highest: a job of priority p is among the highest after at
 * most (9 − p) × {@link #AGING}, then it is first come, first served. A host is chosen by the most
 * free slots.
 */
final class Grants {
  static final Duration AGING = Duration.ofMinutes(1);
  private static final int HIGHEST = 9;

  /** One run may go. */
  record Grant(String job, Waiting waiting, HostView host) {}

  private Grants() {}

  /**
   * What may go now.
   *
   * @param hosts that take runs
   * @param barred jobs that get no run, whatever there is
   * @param most grants
   */
  static List<Grant> decide(
      GateState state,
      Collection<HostView> hosts,
      Predicate<String> barred,
      Instant now,
      int most) {
    Map<String, Integer> free = new HashMap<>();
    for (HostView host : hosts) {
      free.put(host.name(), host.slots() - (int) state.runningOn(host.name()));
    }
    Map<String, Long> room = new HashMap<>();
    for (JobType type : state.types().values()) {
      room.put(type.name(), type.paused() ? 0 : type.limit() - state.running(type.name()));
    }
    if (free.values().stream().noneMatch(slots -> slots > 0)
        || room.values().stream().noneMatch(runs -> runs > 0)) {
      return List.of();
    }
    List<Grant> grants = new ArrayList<>();
    for (Map.Entry<String, Waiting> entry : due(state, room, barred, now)) {
      Waiting waiting = entry.getValue();
      Optional<HostView> host =
          hosts.stream()
              .filter(candidate -> free.getOrDefault(candidate.name(), 0) > 0)
              .max(
                  Comparator.<HostView>comparingInt(
                          candidate -> free.getOrDefault(candidate.name(), 0))
                      .thenComparing(HostView::name));
      if (host.isEmpty() || grants.size() >= most) {
        break;
      }
      if (room.getOrDefault(waiting.type(), 0L) > 0) {
        room.merge(waiting.type(), -1L, Long::sum);
        free.merge(host.get().name(), -1, Integer::sum);
        grants.add(new Grant(entry.getKey(), waiting, host.get()));
      }
    }
    return grants;
  }

  /** The due runs of types with room, best first; one run of a job at a time. */
  private static List<Map.Entry<String, Waiting>> due(
      GateState state, Map<String, Long> room, Predicate<String> barred, Instant now) {
    return state.waiting().entrySet().stream()
        .filter(entry -> isDue(entry.getValue(), now))
        .filter(entry -> room.getOrDefault(entry.getValue().type(), 0L) > 0)
        .filter(entry -> !state.handles().containsKey(entry.getKey()))
        .filter(entry -> !barred.test(entry.getKey()))
        .sorted(order(now))
        .toList();
  }

  static boolean isDue(Waiting waiting, Instant now) {
    return waiting.notBefore() == null || !waiting.notBefore().isAfter(now);
  }

  static int effectivePriority(Waiting waiting, Instant now) {
    long aged = Math.max(0, Duration.between(waiting.at(), now).dividedBy(AGING));
    return (int) Math.min(HIGHEST, waiting.priority() + aged);
  }

  static Comparator<Map.Entry<String, Waiting>> order(Instant now) {
    return Comparator.<Map.Entry<String, Waiting>>comparingInt(
            entry -> -effectivePriority(entry.getValue(), now))
        .thenComparingLong(entry -> entry.getValue().number());
  }
}
