package io.callboard.internal.lifecycle;

import io.callboard.admin.ActorCounts;
import io.callboard.admin.ActorStatus;
import io.callboard.admin.ActorStatus.State;
import io.callboard.admin.DownActors;
import io.callboard.admin.InterruptedActors;
import io.callboard.codecs.ActorPath;
import io.callboard.supervision.FailureStreak;
import io.callboard.supervision.InterruptionStreak;
import io.callboard.zone.ZoneDefaults;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Census of a node's actors: how many are in each state, which are down, which fail or stay
 * interrupted, and which report details. It is kept as they change, so that nobody looks at each of
 * them; an actor that runs costs nothing here. Thread-safe.
 */
public final class ActorCensus {
  private static final State[] STATES = State.values();

  /** Rank of the states that are not down. */
  private static final int UP = 4;

  private final Part application = new Part();
  private final Part toolkit = new Part();
  private final Set<ActorRunner> reporting = ConcurrentHashMap.newKeySet();

  /** Actors that have failed; who has run well since is left out when somebody looks. */
  private final Set<ActorRunner> failing = ConcurrentHashMap.newKeySet();

  /** Actors that were interrupted; those that no longer are leave at the next look. */
  private final Set<ActorRunner> interrupted = ConcurrentHashMap.newKeySet();

  /** Actor that has been interrupted since then. */
  private record Since(Instant since, ActorRunner runner) {
    static final Comparator<Since> LONGEST_FIRST =
        Comparator.comparing(Since::since).thenComparing(each -> each.runner().path());
  }

  /** Counts of one kind of actors, and which of them are down. */
  private static final class Part {
    private final LongAdder[] counts = new LongAdder[STATES.length];
    private final Set<ActorRunner> down = ConcurrentHashMap.newKeySet();

    Part() {
      for (int i = 0; i < counts.length; i++) {
        counts[i] = new LongAdder();
      }
    }

    void enters(ActorRunner runner, State state) {
      counts[state.ordinal()].increment();
      if (rank(state) < UP) {
        down.add(runner);
      }
    }

    void leaves(ActorRunner runner, State state) {
      counts[state.ordinal()].decrement();
      if (rank(state) < UP) {
        down.remove(runner);
      }
    }

    Map<State, Long> byState() {
      Map<State, Long> found = new EnumMap<>(State.class);
      for (State state : STATES) {
        long count = counts[state.ordinal()].sum();
        if (count > 0) { // a sum that is taken while another thread changes it may be off by one
          found.put(state, count);
        }
      }
      return found;
    }

    /** Returns those that are down, roles first, then the worst, up to a limit. */
    List<ActorRunner> worst(int most) {
      List<List<ActorRunner>> byRank = new ArrayList<>();
      for (int i = 0; i <= UP; i++) {
        byRank.add(new ArrayList<>());
      }
      for (ActorRunner runner : down) {
        int rank = rank(runner.state());
        if (rank >= UP) {
          continue; // it came up while this looks
        }
        List<ActorRunner> same = byRank.get(runner.path().isRole() ? 0 : rank + 1);
        if (same.size() < most) {
          same.add(runner);
        }
      }
      return byRank.stream().flatMap(List::stream).limit(most).toList();
    }
  }

  private static int rank(State state) {
    return switch (state) {
      case FAILED -> 0;
      case WAITS -> 1;
      case RESTS -> 2;
      case STOPPED -> 3;
      case STARTING, RUNNING, ELSEWHERE, PASSIVATED -> UP;
    };
  }

  private Part part(ActorRunner runner) {
    return runner.isToolkit() ? toolkit : application;
  }

  /** Reports an actor that is here from now on. */
  void enters(ActorRunner runner, State state) {
    part(runner).enters(runner, state);
  }

  /** Reports a change of state of an actor that is here; its changes come one after the other. */
  void moved(ActorRunner runner, State before, State now) {
    if (before != now) {
      Part part = part(runner);
      part.leaves(runner, before);
      part.enters(runner, now);
    }
  }

  /** Reports an actor that is here no longer. */
  void leaves(ActorRunner runner, State state) {
    part(runner).leaves(runner, state);
    reporting.remove(runner);
    failing.remove(runner);
    interrupted.remove(runner);
  }

  /** Reports an actor that is here and has been interrupted once more. */
  void interrupted(ActorRunner runner) {
    interrupted.add(runner);
  }

  /** Reports an actor that is here and has failed. */
  void fails(ActorRunner runner) {
    failing.add(runner);
  }

  /** Reports an actor that is here and adds details to its status. */
  public void reports(ActorRunner runner) {
    reporting.add(runner);
  }

  /** Returns the numbers by state. */
  public ActorCounts counts() {
    return new ActorCounts(application.byState(), toolkit.byState());
  }

  /**
   * Returns the actors that are down.
   *
   * @param most limit of those listed
   */
  public DownActors down(int most) {
    List<ActorStatus> worst = new ArrayList<>();
    toolkit.worst(most).forEach(runner -> worst.add(runner.status()));
    application.worst(most - worst.size()).forEach(runner -> worst.add(runner.status()));
    Map<ActorPath, Long> dependants = new HashMap<>();
    for (Part part : List.of(toolkit, application)) {
      for (ActorRunner runner : part.down) {
        ActorPath needs = runner.needs();
        if (needs != null) {
          dependants.merge(needs, 1L, Long::sum);
        }
      }
    }
    return new DownActors(toolkit.down.size() + application.down.size(), worst, dependants);
  }

  /** Returns the status of those that report details, the first by their paths, up to a limit. */
  public List<ActorStatus> reporting(int most) {
    return reporting.stream()
        .sorted(Comparator.comparing(ActorRunner::path))
        .limit(most)
        .map(ActorRunner::status)
        .toList();
  }

  /** Returns the status of those that fail, up to a limit: those that do for longest come first. */
  public List<ActorStatus> failing(int most) {
    Map<ActorRunner, Instant> since = new HashMap<>();
    for (ActorRunner runner : failing) {
      FailureStreak streak = runner.failing();
      if (streak != null) {
        since.put(runner, streak.since());
      } else if (runner.streak() == null) {
        failing.remove(runner);
        if (runner.streak() != null) { // it has just failed again, and may have been there then
          runner.history().fails();
        }
      }
    }
    return since.entrySet().stream()
        .sorted(
            Map.Entry.<ActorRunner, Instant>comparingByValue()
                .thenComparing(entry -> entry.getKey().path()))
        .limit(most)
        .map(entry -> entry.getKey().status())
        .filter(actor -> actor.failing() != null)
        .toList();
  }

  /**
   * Returns those that stay interrupted, and the status of those that have been for longest, up to
   * a limit. One that is not, or not for long yet, is left out until its next interruption.
   */
  public InterruptedActors interrupted(int most) {
    int count = 0;
    PriorityQueue<Since> longest = new PriorityQueue<>(Since.LONGEST_FIRST.reversed());
    for (ActorRunner runner : interrupted) {
      InterruptionStreak streak = runner.interrupted();
      if (streak == null || !streak.isLong()) {
        interrupted.remove(runner);
        continue;
      }
      count++;
      longest.add(new Since(streak.since(), runner));
      if (longest.size() > most) {
        Since unused = longest.remove(); // the one that has been for the shortest time
      }
    }
    List<ActorStatus> statuses =
        longest.stream()
            .sorted(Since.LONGEST_FIRST)
            .map(each -> each.runner().status())
            .filter(ActorCensus::staysInterrupted) // it may have handled a message meanwhile
            .toList();
    return new InterruptedActors(count, statuses);
  }

  private static boolean staysInterrupted(ActorStatus actor) {
    InterruptionStreak streak = actor.interrupted();
    return streak != null && streak.isLong();
  }

  static boolean isToolkit(String zone) {
    return zone.equals(ZoneDefaults.TOOLKIT);
  }
}
