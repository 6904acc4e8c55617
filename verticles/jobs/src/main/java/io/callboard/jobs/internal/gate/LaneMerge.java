package io.callboard.jobs.internal.gate;

import io.callboard.jobs.internal.protocol.BacklogCommand;
import io.callboard.jobs.internal.protocol.BacklogLane;
import io.callboard.time.Machine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * Chooses the runs that answer a pull: those with the lowest numbers in all its lanes, of each
 * named lane as many as it asks for at most. The cost is O(lanes + runs · log lanes).
 */
@Machine
final class LaneMerge {
  private final BacklogCommand.Pull pull;

  /** Runs that are still wanted, by named lane. */
  private final Map<List<String>, Integer> wanted = new HashMap<>();

  private final PriorityQueue<Next> queue = new PriorityQueue<>(Next.ORDER);

  /** First run of a lane that is not chosen yet. */
  private static final class Next {
    static final Comparator<Next> ORDER = Comparator.comparingLong(next -> next.run.getKey());

    private final List<String> lane;
    private final Iterator<Map.Entry<Long, String>> runs;
    private Map.Entry<Long, String> run;

    Next(List<String> lane, NavigableMap<Long, String> all) {
      this.lane = lane;
      this.runs = all.entrySet().iterator();
      this.run = runs.next();
    }

    boolean advance() {
      if (!runs.hasNext()) {
        return false;
      }
      run = runs.next();
      return true;
    }
  }

  private LaneMerge(BacklogCommand.Pull pull, List<BacklogLane> named, BacklogLanes lanes) {
    this.pull = pull;
    for (BacklogLane lane : named) {
      if (lane.priority() == pull.priority()) {
        wanted.put(lane.limits(), lane.runs());
      }
    }
    Set<String> labels = BacklogLanes.labels(named, pull.priority());
    lanes
        .of(pull.priority())
        .forEach((limits, runs) -> queue.add(new Next(BacklogLanes.within(limits, labels), runs)));
  }

  /** Returns the jobs of the runs, in their order. */
  static List<String> jobs(BacklogCommand.Pull pull, List<BacklogLane> named, BacklogLanes lanes) {
    return new LaneMerge(pull, named, lanes).jobs();
  }

  private List<String> jobs() {
    List<String> jobs = new ArrayList<>();
    while (!queue.isEmpty() && jobs.size() < pull.most()) {
      Next next = queue.remove();
      if (wants(next.lane)) {
        wanted.computeIfPresent(next.lane, (lane, runs) -> runs - 1);
        jobs.add(next.run.getValue());
        if (next.advance()) {
          queue.add(next);
        }
      }
    }
    return jobs;
  }

  private boolean wants(List<String> lane) {
    int others = Boolean.TRUE.equals(pull.only()) ? 0 : 1;
    return wanted.getOrDefault(lane, others) > 0;
  }
}
