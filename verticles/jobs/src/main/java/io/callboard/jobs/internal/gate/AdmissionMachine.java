package io.callboard.jobs.internal.gate;

import io.callboard.jobs.internal.gate.RunCounts.Pool;
import io.callboard.jobs.internal.protocol.WaitingRun;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.PriorityAging;
import io.callboard.time.Machine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.PriorityQueue;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the waiting runs to start, and their hosts. Pure: state, live hosts and the time in,
 * decisions out.
 *
 * <p>Order: effective priority ({@link PriorityAging}), then enqueue order. Of the hosts that have
 * the required labels, offer the handler, have not said that it cannot read the arguments, and have
 * a share left for the type, the one with the most free slots is chosen.
 *
 * <p>Runs that need the same wait in one {@link RunLane}. The first run of each lane is a
 * candidate; a lane whose first run cannot go is left out for the rest of the call. A grant costs
 * O(lanes' log + hosts).
 */
@Machine
final class AdmissionMachine {
  /** Grant of one run. */
  record Grant(String job, WaitingRun waiting, HostView host) {}

  /** First run of a lane that may go, with its effective priority, computed once. */
  private record Candidate(
      RunLane lane, long number, String job, WaitingRun waiting, int priority) {
    static final Comparator<Candidate> ORDER =
        Comparator.<Candidate>comparingInt(candidate -> -candidate.priority)
            .thenComparingLong(candidate -> candidate.number);
  }

  private final GateState state;
  private final GateIndex index;
  private final Collection<HostView> hosts;
  private final BiPredicate<String, Map<String, String>> meets;
  private final BiPredicate<HostView, String> last;
  private final Predicate<String> barred;
  private final Instant now;

  /** Grants of this call, which the counts of the index do not have yet. */
  private final RunCounts granted = new RunCounts();

  private final Map<Pool, Integer> free = new HashMap<>();

  private AdmissionMachine(
      GateState state,
      GateIndex index,
      Collection<HostView> hosts,
      BiPredicate<String, Map<String, String>> meets,
      BiPredicate<HostView, String> last,
      Predicate<String> barred,
      Instant now) {
    this.state = state;
    this.index = index;
    this.hosts = hosts;
    this.meets = meets;
    this.last = last;
    this.barred = barred;
    this.now = now;
    for (HostView host : hosts) {
      free(host, null);
      host.handlers().keySet().forEach(handler -> free(host, handler));
    }
  }

  private void free(HostView host, @Nullable String handler) {
    int slots = host.slots(handler) - index.counts().onHost(host.name(), handler);
    if (slots > 0) {
      free.put(new Pool(host.name(), handler), slots);
    }
  }

  /**
   * Returns the grants of the runs that may start now.
   *
   * @param index index of the state
   * @param hosts hosts that take runs
   * @param meets whether a host, by its name, has what a run requires
   * @param last whether a host gave runs of a type back
   * @param barred jobs that get no run in any case
   * @param most maximum number of grants
   */
  static List<Grant> decide(
      GateState state,
      GateIndex index,
      Collection<HostView> hosts,
      BiPredicate<String, Map<String, String>> meets,
      BiPredicate<HostView, String> last,
      Predicate<String> barred,
      Instant now,
      int most) {
    index.sync(state);
    index.becomeDue(now);
    return new AdmissionMachine(state, index, hosts, meets, last, barred, now).grants(most);
  }

  private List<Grant> grants(int most) {
    List<Grant> grants = new ArrayList<>();
    PriorityQueue<Candidate> candidates = new PriorityQueue<>(Candidate.ORDER);
    if (!free.isEmpty()) {
      index.lanes().forEach((lane, runs) -> add(candidates, lane, runs, -1));
    }
    while (!candidates.isEmpty() && grants.size() < most && !free.isEmpty()) {
      Candidate next = candidates.remove();
      HostView host = hasRoom(next.lane()) ? host(next.lane()) : null;
      if (host != null) {
        grants.add(new Grant(next.job(), next.waiting(), host));
        count(next, host);
        NavigableMap<Long, String> runs = index.lanes().get(next.lane());
        if (runs != null) {
          add(candidates, next.lane(), runs, next.number());
        }
      }
    }
    return grants;
  }

  /** Adds the first run of a lane behind a number. */
  private void add(
      PriorityQueue<Candidate> candidates,
      RunLane lane,
      NavigableMap<Long, String> runs,
      long behind) {
    for (Map.Entry<Long, String> run : runs.tailMap(behind, false).entrySet()) {
      WaitingRun waiting = state.waiting().get(run.getValue());
      if (waiting != null && !barred.test(run.getValue())) {
        candidates.add(
            new Candidate(
                lane, run.getKey(), run.getValue(), waiting, effectivePriority(waiting, now)));
        return;
      }
    }
  }

  private void count(Candidate next, HostView host) {
    String handler = state.handler(next.lane().type());
    Pool pool = new Pool(host.name(), handler);
    free.merge(pool, -1, Integer::sum);
    free.remove(pool, 0);
    granted.add(
        new GateState.Handle(
            next.waiting().runId(),
            next.lane().type(),
            host.name(),
            host.boot(),
            now,
            0,
            host.term(),
            null,
            next.waiting().labels(),
            handler),
        1,
        state.labelLimits().keySet());
  }

  /** Returns whether the limits of a lane's type and labels allow another run. */
  private boolean hasRoom(RunLane lane) {
    JobType type = state.types().get(lane.type());
    return type != null
        && !type.paused()
        && index.counts().ofType(lane.type()) + granted.ofType(lane.type()) < type.limit()
        && lane.limits().stream()
            .allMatch(
                label ->
                    index.counts().ofLimit(label) + granted.ofLimit(label)
                        < state.labelLimits().getOrDefault(label, Integer.MAX_VALUE));
  }

  /**
   * Returns the host with the most free slots that may take a run of the lane, of several the last
   * by name; null if there is none. For a run that was given back, hosts that gave others of its
   * type back come after all others, and of them the first by name, whatever its slots: so these
   * are asked in one order, and runs that none of them can read end in few lanes.
   */
  private @Nullable HostView host(RunLane lane) {
    JobType type = state.types().get(lane.type());
    String handler = state.handler(lane.type());
    HostView best = null;
    HostView lastOne = null;
    boolean given = HandlerNeed.areUnreadable(lane.requires());
    boolean full = given && HandlerNeed.isFull(lane.requires());
    int most = 0;
    for (HostView host : hosts) {
      int slots = free.getOrDefault(new Pool(host.name(), handler), 0);
      if (slots > 0
          && slots >= most
          && meets.test(host.name(), lane.requires())
          && hasShare(type, host)) {
        if (!given || !last.test(host, lane.type())) {
          best = host;
          most = slots;
        } else if (!full && (lastOne == null || host.name().compareTo(lastOne.name()) < 0)) {
          lastOne = host;
        }
      }
    }
    return best == null ? lastOne : best;
  }

  private boolean hasShare(@Nullable JobType type, HostView host) {
    return type != null
        && index.counts().ofTypeOnHost(type.name(), host.name())
                + granted.ofTypeOnHost(type.name(), host.name())
            < type.mostOf(host.slots(type.handler()));
  }

  static boolean isDue(WaitingRun waiting, Instant now) {
    return waiting.notBefore() == null || !waiting.notBefore().isAfter(now);
  }

  static int effectivePriority(WaitingRun waiting, Instant now) {
    return PriorityAging.effective(waiting.priority(), Duration.between(waiting.at(), now));
  }

  /**
   * Returns the position of a run, from 1, among the due runs that compete with it.
   *
   * @param competes whether another run waits for what this one waits for
   */
  static int position(
      GateState state,
      String job,
      WaitingRun waiting,
      Instant now,
      Predicate<WaitingRun> competes) {
    int priority = effectivePriority(waiting, now);
    int before = 0;
    for (Map.Entry<String, WaitingRun> entry : state.waiting().entrySet()) {
      WaitingRun other = entry.getValue();
      if (!entry.getKey().equals(job)
          && isDue(other, now)
          && competes.test(other)
          && goesBefore(other, effectivePriority(other, now), waiting, priority)) {
        before++;
      }
    }
    return before + 1;
  }

  private static boolean goesBefore(WaitingRun other, int its, WaitingRun waiting, int priority) {
    return its > priority || (its == priority && other.number() < waiting.number());
  }
}
