package io.callboard.jobs.internal.gate;

import io.callboard.jobs.internal.gate.GateState.Handle;
import io.callboard.jobs.internal.protocol.GateEvent;
import io.callboard.jobs.internal.protocol.WaitingRun;
import io.callboard.time.Machine;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Order of the waiting runs and counts of the handles, derived from a {@link GateState}, so that a
 * decision costs O(log n). It follows the state event by event; for any other state it is built
 * anew, in O(n log n).
 */
@Machine
final class GateIndex {
  /** A waiting run at a time. */
  private record Timed(Instant at, String job) {
    static final Comparator<Timed> ORDER =
        Comparator.comparing(Timed::at).thenComparing(Timed::job);
  }

  private @Nullable GateState state;
  private final Map<RunLane, NavigableMap<Long, String>> lanes = new HashMap<>();
  private final NavigableSet<Timed> later = new TreeSet<>(Timed.ORDER);
  private final NavigableSet<Timed> expiries = new TreeSet<>(Timed.ORDER);

  /** Waiting runs by the lane and number under which they are; those not due are in none. */
  private final Map<String, RunLane> inLanes = new HashMap<>();

  private final WaitingCounts sizes = new WaitingCounts();

  private final Map<String, Set<String>> onHosts = new HashMap<>();
  private RunCounts counts = new RunCounts();

  /** Rebuilds the index from a state, unless it is the index of that state. */
  void sync(GateState now) {
    if (state != now) {
      build(now);
    }
  }

  private void build(GateState now) {
    lanes.clear();
    later.clear();
    expiries.clear();
    inLanes.clear();
    sizes.clear();
    onHosts.clear();
    counts = new RunCounts();
    state = now;
    now.handles().forEach(this::add);
    now.waiting().forEach(this::add);
  }

  /** Follows an event, which led from {@code before} to {@code after}. */
  void apply(GateState before, GateEvent event, GateState after) {
    if (state != before) {
      return; // it is built anew for the next decision
    }
    state = after;
    if (event instanceof GateEvent.Enqueued e) {
      removeWaiting(e.job(), before.waiting().get(e.job()));
      addWaiting(e.job(), after);
    } else if (event instanceof GateEvent.Withdrawn e) {
      removeWaiting(e.job(), before.waiting().get(e.job()));
    } else if (event instanceof GateEvent.Granted e) {
      removeWaiting(e.job(), before.waiting().get(e.job()));
      removeHandle(e.job(), before.handles().get(e.job()));
      add(e.job(), after.handles().get(e.job()));
    } else if (event instanceof GateEvent.Released e) {
      removeHandle(e.job(), before.handles().get(e.job()));
      removeWaiting(e.job(), before.waiting().get(e.job()));
      addWaiting(e.job(), after); // it may go now
    } else if (event instanceof GateEvent.Returned e) {
      for (String job : e.runs().keySet()) {
        removeWaiting(job, before.waiting().get(job));
        addWaiting(job, after);
      }
    } else if (event instanceof GateEvent.LimitPut) {
      state = null;
    }
  }

  private void addWaiting(String job, GateState now) {
    WaitingRun waiting = now.waiting().get(job);
    if (waiting != null) {
      add(job, waiting);
    }
  }

  private void add(String job, WaitingRun run) {
    if (run.expiresAt() != null) {
      expiries.add(new Timed(run.expiresAt(), job));
    }
    sizes.add(run, 1);
    if (run.notBefore() != null) {
      later.add(new Timed(run.notBefore(), job));
    } else {
      toLane(job, run);
    }
  }

  private void toLane(String job, WaitingRun run) {
    GateState now = state;
    if (now != null && !now.handles().containsKey(job)) { // one run of a job at a time
      RunLane lane = RunLane.of(run, now.labelLimits().keySet());
      lanes.computeIfAbsent(lane, key -> new TreeMap<>()).put(run.number(), job);
      inLanes.put(job, lane);
      sizes.addDue(lane, 1);
    }
  }

  private void removeWaiting(String job, @Nullable WaitingRun run) {
    if (run == null) {
      return;
    }
    if (run.expiresAt() != null) {
      expiries.remove(new Timed(run.expiresAt(), job));
    }
    if (run.notBefore() != null) {
      later.remove(new Timed(run.notBefore(), job));
    }
    sizes.add(run, -1);
    RunLane lane = inLanes.remove(job);
    if (lane != null) {
      sizes.addDue(lane, -1);
      NavigableMap<Long, String> runs = lanes.getOrDefault(lane, new TreeMap<>());
      runs.remove(run.number());
      if (runs.isEmpty()) {
        lanes.remove(lane);
      }
    }
  }

  private void add(String job, @Nullable Handle handle) {
    GateState now = state;
    if (handle != null && now != null) {
      counts.add(handle, 1, now.labelLimits().keySet());
      onHosts.computeIfAbsent(handle.host(), host -> new HashSet<>()).add(job);
    }
  }

  private void removeHandle(String job, @Nullable Handle handle) {
    GateState now = state;
    if (handle != null && now != null) {
      counts.add(handle, -1, now.labelLimits().keySet());
      Set<String> jobs = onHosts.get(handle.host());
      if (jobs != null) {
        jobs.remove(job);
      }
    }
  }

  /** Moves the runs that have become due to their lanes. */
  void becomeDue(Instant now) {
    GateState known = state;
    while (known != null && !later.isEmpty() && !later.first().at().isAfter(now)) {
      String job = later.first().job();
      later.remove(later.first());
      WaitingRun waiting = known.waiting().get(job);
      if (waiting != null) {
        toLane(job, waiting);
      }
    }
  }

  /** Returns the jobs that have waited too long, at most {@code most}. */
  List<String> expired(Instant now, int most) {
    List<String> jobs = new ArrayList<>();
    for (Timed next : expiries) {
      if (jobs.size() >= most || !next.at().isBefore(now)) {
        break;
      }
      jobs.add(next.job());
    }
    return jobs;
  }

  /** Returns the due runs by lane; each in the order of their numbers. */
  Map<RunLane, NavigableMap<Long, String>> lanes() {
    return lanes;
  }

  /** Returns the number of waiting runs of a type and priority. */
  int waiting(String type, int priority) {
    return sizes.all(type, priority);
  }

  /** Returns the number of due runs of a type and priority by lane. */
  Map<RunLane, Integer> due(String type, int priority) {
    return sizes.due(type, priority);
  }

  /**
   * Returns the number of due runs of a type and priority that the limits of labels let start, each
   * limit by itself; counts up to {@code enough}.
   *
   * @param limits what counts a lane, which is one with all others that the same counts; empty if
   *     its runs are no part of the number
   */
  int startable(
      String type, int priority, int enough, Function<RunLane, Optional<List<String>>> limits) {
    Map<List<String>, Integer> runs = new HashMap<>();
    int all = 0;
    for (Map.Entry<RunLane, Integer> lane : due(type, priority).entrySet()) {
      Optional<List<String>> its = limits.apply(lane.getKey());
      if (its.isPresent()) {
        int before = runs.getOrDefault(its.get(), 0);
        int with = Math.min(before + lane.getValue(), room(its.get(), enough));
        runs.put(its.get(), with);
        all += with - before;
      }
      if (all >= enough) {
        return enough;
      }
    }
    return all;
  }

  /** Returns how many further runs some limits allow, at most {@code most}. */
  private int room(List<String> limits, int most) {
    GateState now = state;
    int room = most;
    for (String label : limits) {
      Integer limit = now == null ? null : now.labelLimits().get(label);
      room = limit == null ? room : Math.min(room, limit - counts.ofLimit(label));
    }
    return Math.max(0, room);
  }

  RunCounts counts() {
    return counts;
  }

  /** Returns the jobs with handles on a host. */
  Set<String> on(String host) {
    return onHosts.getOrDefault(host, Set.of());
  }
}
