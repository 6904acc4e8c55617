package io.callboard.jobs.gate;

import io.callboard.jobs.gate.GateState.Waiting;
import io.callboard.jobs.model.JobType;
import io.callboard.time.Machine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Predicate;

/**
 * Choice of the waiting runs that go, and of their hosts. Pure: state, live hosts and the time in,
 * decisions out.
 *
 * <p>Order: effective priority, then enqueue order. The effective priority rises by one for each
 * {@link #AGING} of waiting, up to the highest: a job of priority p is among the highest after at
 * most (9 − p) × {@link #AGING}, then it is first come, first served. A host is chosen by the most
 * free slots.
 *
 * <p>Each call goes through waiting runs and handles once: it is made with most of the gate's
 * messages, with tens of thousands of them.
 */
@Machine
final class AdmissionMachine {
  static final Duration AGING = Duration.ofMinutes(1);
  private static final int HIGHEST = 9;

  /** Grant of one run. */
  record Grant(String job, Waiting waiting, HostView host) {}

  /** Waiting run with its effective priority, computed once. */
  private record Candidate(String job, Waiting waiting, int priority) {
    static final Comparator<Candidate> ORDER =
        Comparator.<Candidate>comparingInt(candidate -> -candidate.priority)
            .thenComparingLong(candidate -> candidate.waiting.number());

    static Candidate of(Map.Entry<String, Waiting> entry, Instant now) {
      return new Candidate(
          entry.getKey(), entry.getValue(), effectivePriority(entry.getValue(), now));
    }
  }

  /** Host with free slots. */
  private record Room(HostView host, int free) {
    static final Comparator<Room> MOST_FREE =
        Comparator.<Room>comparingInt(room -> -room.free)
            .thenComparing(room -> room.host.name(), Comparator.reverseOrder());
  }

  private AdmissionMachine() {}

  /**
   * Returns the runs that may go now.
   *
   * @param hosts hosts that take runs
   * @param barred jobs that get no run in any case
   * @param most maximum number of grants
   */
  static List<Grant> decide(
      GateState state,
      Collection<HostView> hosts,
      Predicate<String> barred,
      Instant now,
      int most) {
    RunCounts running = RunCounts.of(state.handles().values());
    PriorityQueue<Room> rooms = rooms(hosts, running);
    Map<String, Integer> left = left(state.types().values(), running);
    if (rooms.isEmpty() || left.isEmpty()) {
      return List.of();
    }
    List<Grant> grants = new ArrayList<>();
    for (Candidate next : due(state, left, barred, now)) {
      Room room = rooms.peek();
      if (room == null || grants.size() >= most) {
        break;
      }
      String type = next.waiting().type();
      if (left.getOrDefault(type, 0) > 0) {
        left.merge(type, -1, Integer::sum);
        grants.add(new Grant(next.job(), next.waiting(), room.host()));
        Room unused = rooms.remove();
        if (room.free() > 1) {
          rooms.add(new Room(room.host(), room.free() - 1));
        }
      }
    }
    return grants;
  }

  private static PriorityQueue<Room> rooms(Collection<HostView> hosts, RunCounts running) {
    PriorityQueue<Room> rooms = new PriorityQueue<>(Room.MOST_FREE);
    for (HostView host : hosts) {
      int free = host.slots() - running.onHost(host.name());
      if (free > 0) {
        rooms.add(new Room(host, free));
      }
    }
    return rooms;
  }

  /** Returns how many more runs the limits allow, for types with any left. */
  private static Map<String, Integer> left(Collection<JobType> types, RunCounts running) {
    Map<String, Integer> left = new HashMap<>();
    for (JobType type : types) {
      int runs = type.paused() ? 0 : type.limit() - running.ofType(type.name());
      if (runs > 0) {
        left.put(type.name(), runs);
      }
    }
    return left;
  }

  /** Returns the due runs of types with room, best first; one run of a job at a time. */
  private static List<Candidate> due(
      GateState state, Map<String, Integer> left, Predicate<String> barred, Instant now) {
    return state.waiting().entrySet().stream()
        .filter(entry -> left.containsKey(entry.getValue().type()))
        .filter(entry -> isDue(entry.getValue(), now))
        .filter(entry -> !state.handles().containsKey(entry.getKey()))
        .filter(entry -> !barred.test(entry.getKey()))
        .map(entry -> Candidate.of(entry, now))
        .sorted(Candidate.ORDER)
        .toList();
  }

  static boolean isDue(Waiting waiting, Instant now) {
    return waiting.notBefore() == null || !waiting.notBefore().isAfter(now);
  }

  static int effectivePriority(Waiting waiting, Instant now) {
    long aged = Math.max(0, Duration.between(waiting.at(), now).toMillis() / AGING.toMillis());
    return (int) Math.min(HIGHEST, waiting.priority() + aged);
  }

  /** Returns the position of a waiting run among the due ones of all types, from 1. */
  static int position(GateState state, String job, Waiting waiting, Instant now) {
    Candidate own = new Candidate(job, waiting, effectivePriority(waiting, now));
    return 1
        + (int)
            state.waiting().entrySet().stream()
                .filter(entry -> isDue(entry.getValue(), now))
                .filter(entry -> Candidate.ORDER.compare(Candidate.of(entry, now), own) < 0)
                .count();
  }
}
