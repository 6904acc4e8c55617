package io.callboard.bench;

import io.callboard.bench.RunRecord.Entry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/** Analysis of the records of all nodes: what ran at every instant. */
final class RunSweep {
  private static final double NS = 1e9;

  private final List<Life> lives = new ArrayList<>();

  /** Time in which a run was alive. */
  private record Life(Entry begin, long fromNs, long untilNs) {
    /** Returns its time within a window, without what it took beyond what it was to take. */
    long useful(long windowFrom, long windowUntil) {
      long until = Math.min(untilNs, fromNs + begin.millis() * 1_000_000L);
      return Math.max(0, Math.min(until, windowUntil) - Math.max(fromNs, windowFrom));
    }
  }

  private record Edge(long atNs, int by, Entry begin) {}

  /**
   * Adds the record of a node.
   *
   * @param endNs end of the runs that have none in it: when the node was killed, or the record read
   */
  void add(List<Entry> entries, long endNs) {
    Map<Integer, Entry> open = new HashMap<>();
    for (Entry entry : entries) {
      if (entry.begins()) {
        open.put(entry.run(), entry);
      } else {
        Entry begin = open.remove(entry.run());
        if (begin != null) {
          lives.add(new Life(begin, begin.atNs(), entry.atNs()));
        }
      }
    }
    open.values().forEach(begin -> lives.add(new Life(begin, begin.atNs(), endNs)));
  }

  /**
   * Returns the largest number of runs of a group alive at one instant; groups below 0 are none.
   */
  Map<Integer, Integer> most(ToIntFunction<Entry> group) {
    List<Edge> edges = new ArrayList<>();
    for (Life life : lives) {
      edges.add(new Edge(life.fromNs(), 1, life.begin()));
      edges.add(new Edge(life.untilNs(), -1, life.begin()));
    }
    edges.sort(Comparator.comparingLong(Edge::atNs).thenComparingInt(Edge::by));
    Map<Integer, Integer> alive = new HashMap<>();
    Map<Integer, Integer> most = new HashMap<>();
    for (Edge edge : edges) {
      int name = group.applyAsInt(edge.begin());
      if (name >= 0) {
        int now = alive.merge(name, edge.by(), Integer::sum);
        most.merge(name, now, Math::max);
      }
    }
    return most;
  }

  /** Returns the part of the time of some slots within a window in which no run was to be done. */
  double idle(int slots, long fromNs, long untilNs) {
    double useful = 0;
    for (Life life : lives) {
      useful += life.useful(fromNs, untilNs);
    }
    return 1 - useful / ((double) slots * (untilNs - fromNs));
  }

  /** Returns the longest time in seconds within a window in which no run began. */
  double gap(long fromNs, long untilNs) {
    List<Long> begins =
        new ArrayList<>(
            lives.stream()
                .map(Life::fromNs)
                .filter(at -> at > fromNs && at < untilNs)
                .sorted()
                .toList());
    begins.add(untilNs);
    long longest = 0;
    long last = fromNs;
    for (long at : begins) {
      longest = Math.max(longest, at - last);
      last = at;
    }
    return longest / NS;
  }

  /** Returns how many runs began within a window, in a second. */
  double rate(long fromNs, long untilNs) {
    long begun =
        lives.stream().filter(life -> life.fromNs() > fromNs && life.fromNs() < untilNs).count();
    return begun / ((untilNs - fromNs) / NS);
  }
}
