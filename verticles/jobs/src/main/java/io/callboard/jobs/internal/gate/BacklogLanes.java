package io.callboard.jobs.internal.gate;

import io.callboard.jobs.internal.protocol.BacklogLane;
import io.callboard.jobs.internal.protocol.BacklogStock;
import io.callboard.jobs.internal.protocol.WaitingRun;
import io.callboard.time.Machine;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Due runs of a backlog by priority and number, divided into lanes by the names of earlier pulls:
 * labels with a limit, and requirements ({@link RunLane#word}). A run is added and removed in O(log
 * n); a name that is new costs O(n log n) once.
 */
@Machine
final class BacklogLanes {
  /** Number of names from which on those that were named before are forgotten. */
  static final int MOST_LABELS = 1_000;

  /** Jobs by number, by those of the names that count them, by priority. */
  private List<Map<List<String>, NavigableMap<Long, String>>> lanes = empty();

  private final Set<String> labels = new HashSet<>();

  private static List<Map<List<String>, NavigableMap<Long, String>>> empty() {
    List<Map<List<String>, NavigableMap<Long, String>>> all = new ArrayList<>();
    for (int i = 0; i < BacklogStock.PRIORITIES; i++) {
      all.add(new HashMap<>());
    }
    return all;
  }

  void add(String job, WaitingRun run) {
    lanes
        .get(run.priority())
        .computeIfAbsent(RunLane.limits(run, labels), limits -> new TreeMap<>())
        .put(run.number(), job);
  }

  /** Removes a run, if there is one of its number. */
  void remove(WaitingRun run) {
    List<String> limits = RunLane.limits(run, labels);
    NavigableMap<Long, String> runs = lanes.get(run.priority()).get(limits);
    if (runs != null) {
      runs.remove(run.number());
      if (runs.isEmpty()) {
        lanes.get(run.priority()).remove(limits);
      }
    }
  }

  /** Divides the runs by further labels. */
  void part(BacklogState state, Collection<String> more) {
    if (labels.containsAll(more)) {
      return;
    }
    labels.addAll(more);
    if (labels.size() > MOST_LABELS) {
      labels.retainAll(Set.copyOf(more));
    }
    List<Map<List<String>, NavigableMap<Long, String>>> before = lanes;
    lanes = empty();
    for (Map<List<String>, NavigableMap<Long, String>> priority : before) {
      for (NavigableMap<Long, String> runs : priority.values()) {
        for (String job : runs.values()) {
          WaitingRun run = state.runs().get(job);
          if (run != null) {
            add(job, run);
          }
        }
      }
    }
  }

  /** Returns the jobs of a priority by number, for each set of labels that counts them. */
  Map<List<String>, NavigableMap<Long, String>> of(int priority) {
    return lanes.get(priority);
  }

  /** Returns the number of due runs by priority. */
  List<Integer> sizes() {
    return lanes.stream()
        .map(priority -> priority.values().stream().mapToInt(Map::size).sum())
        .toList();
  }

  /** Returns the named lanes that have runs, with the numbers of these. */
  List<BacklogLane> count(List<BacklogLane> named) {
    Map<Integer, Map<List<String>, Integer>> counts = new HashMap<>();
    List<BacklogLane> all = new ArrayList<>();
    for (BacklogLane lane : named) {
      int runs =
          counts
              .computeIfAbsent(lane.priority(), priority -> counts(priority, named))
              .getOrDefault(lane.limits(), 0);
      if (runs > 0) {
        all.add(new BacklogLane(lane.priority(), lane.limits(), runs));
      }
    }
    return all;
  }

  private Map<List<String>, Integer> counts(int priority, List<BacklogLane> named) {
    Set<String> its = labels(named, priority);
    Map<List<String>, Integer> counts = new HashMap<>();
    of(priority)
        .forEach((limits, runs) -> counts.merge(within(limits, its), runs.size(), Integer::sum));
    return counts;
  }

  /** Returns the labels of the lanes of a priority. */
  static Set<String> labels(List<BacklogLane> named, int priority) {
    return named.stream()
        .filter(lane -> lane.priority() == priority)
        .flatMap(lane -> lane.limits().stream())
        .collect(Collectors.toSet());
  }

  /** Returns the labels that are among others, in their order. */
  static List<String> within(List<String> limits, Set<String> others) {
    return limits.stream().filter(others::contains).toList();
  }
}
