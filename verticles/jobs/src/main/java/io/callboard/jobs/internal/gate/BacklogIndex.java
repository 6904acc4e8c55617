package io.callboard.jobs.internal.gate;

import io.callboard.jobs.internal.protocol.BacklogCommand;
import io.callboard.jobs.internal.protocol.BacklogLane;
import io.callboard.jobs.internal.protocol.BacklogStock;
import io.callboard.jobs.internal.protocol.WaitingRun;
import io.callboard.time.Machine;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Order of the runs of a backlog, derived from its state: those that are due by priority and
 * number, the others by their time. Each operation costs O(log n); a pull that of its lanes, too.
 */
@Machine
public final class BacklogIndex {
  /**
   * Number of characters of the labels of runs from which on a pull gets no more: they are one
   * message and one event of the gate.
   */
  static final int MOST_PULLED = 1 << 17;

  private record Timed(Instant at, String job) {
    static final Comparator<Timed> ORDER =
        Comparator.comparing(Timed::at).thenComparing(Timed::job);
  }

  private final BacklogLanes due = new BacklogLanes();
  private final NavigableSet<Timed> later = new TreeSet<>(Timed.ORDER);
  private final NavigableSet<Timed> expiries = new TreeSet<>(Timed.ORDER);

  /** Creates the index of a state. */
  public BacklogIndex(BacklogState state) {
    state.runs().forEach(this::add);
  }

  /** Adds a run. */
  public void add(String job, WaitingRun run) {
    if (run.expiresAt() != null) {
      expiries.add(new Timed(run.expiresAt(), job));
    }
    if (run.notBefore() == null) {
      due.add(job, run);
    } else {
      later.add(new Timed(run.notBefore(), job));
    }
  }

  /** Removes a run, if there is one. */
  public void remove(String job, @Nullable WaitingRun run) {
    if (run != null) {
      if (run.expiresAt() != null) {
        expiries.remove(new Timed(run.expiresAt(), job));
      }
      if (run.notBefore() != null) {
        later.remove(new Timed(run.notBefore(), job));
      }
      due.remove(run);
    }
  }

  /**
   * Moves the runs that have become due to their priority.
   *
   * @return whether there was any
   */
  public boolean becomeDue(BacklogState state, Instant now) {
    boolean moved = false;
    while (!later.isEmpty() && !later.first().at().isAfter(now)) {
      Timed next = later.first();
      later.remove(next);
      WaitingRun run = state.runs().get(next.job());
      if (run != null) {
        due.add(next.job(), run);
        moved = true;
      }
    }
    return moved;
  }

  /** Returns the jobs that have waited too long, at most {@code most}. */
  public List<String> expired(Instant now, int most) {
    return expiries.stream()
        .takeWhile(next -> next.at().isBefore(now))
        .limit(most)
        .map(Timed::job)
        .toList();
  }

  /**
   * Returns the first due runs that a pull asks for, with their jobs, in their order; fewer if they
   * have many labels.
   */
  public Map<String, WaitingRun> first(BacklogState state, BacklogCommand.Pull pull) {
    List<BacklogLane> named = named(pull);
    due.part(
        state, named.stream().flatMap(lane -> lane.limits().stream()).collect(Collectors.toSet()));
    Map<String, WaitingRun> runs = new LinkedHashMap<>();
    int length = 0;
    for (String job : LaneMerge.jobs(pull, named, due)) {
      WaitingRun run = state.runs().get(job);
      if (run != null && length < MOST_PULLED) {
        runs.put(job, run);
        length += length(run.labels()) + length(run.requires());
      }
    }
    return runs;
  }

  private static int length(Map<String, String> labels) {
    return labels.entrySet().stream()
        .mapToInt(label -> label.getKey().length() + label.getValue().length())
        .sum();
  }

  /** Returns the lanes of a pull that have due runs, with the numbers of these. */
  public List<BacklogLane> left(BacklogCommand.Pull pull) {
    return due.count(named(pull));
  }

  private static List<BacklogLane> named(BacklogCommand.Pull pull) {
    return pull.lanes() == null ? List.of() : pull.lanes();
  }

  /**
   * Returns the next time at which a run becomes due or has waited too long; empty if there is
   * none.
   */
  public Optional<Instant> next() {
    return Stream.of(later, expiries)
        .filter(times -> !times.isEmpty())
        .map(times -> times.first().at())
        .min(Comparator.naturalOrder());
  }

  /** Returns the stock of the backlog. */
  public BacklogStock stock(BacklogState state) {
    return new BacklogStock(due.sizes(), state.seen());
  }
}
