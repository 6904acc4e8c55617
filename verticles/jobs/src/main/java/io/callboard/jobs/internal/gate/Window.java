package io.callboard.jobs.internal.gate;

import io.callboard.jobs.internal.protocol.BacklogStock;
import io.callboard.jobs.internal.protocol.GateCommand;
import io.callboard.time.Machine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Window of the gate: the waiting runs that it chooses from. What waits beyond it is in the
 * backlogs of the types, and is pulled in by priority, first come, first served. Now and then a
 * pull is of another priority: a stream of urgent runs that leave the window as they come in would
 * keep all others of their type out of it, and what is not there does not age.
 *
 * <p>What the limit of a label blocks is pulled, too, but only until enough of it wait: the runs
 * behind it are pulled past it ({@link PullPlan}). So is what no host offers.
 *
 * <p>Invariant: of one type and priority, and of those that the same limits count and that require
 * the same, every due run of the window was enqueued before every one of the backlog. So a run is
 * given to the backlog while others of its type and priority are there, or under way to it.
 */
@Machine
final class Window {
  /** Number of runs from which on the gate's window is full. */
  static final int MOST = 20_000;

  /**
   * Runs of each type and priority, and of each lane that others were pulled past, that are taken
   * though the window is full.
   */
  static final int RESERVED = 10;

  /** Number of runs of a type and priority that may start below which others are pulled. */
  static final int LOW = 200;

  /** Number of runs that are pulled at once: their message stays small. */
  static final int PULL = 200;

  /**
   * Part of the window up to which runs are pulled past those that are blocked though it is full:
   * one in so many.
   */
  static final int SPARE = 10;

  /**
   * Part of the window up to which few are, {@link #RESERVED} at once, though that is used up, too:
   * one in so many. Of each lane that lies before those which may start, so many come in.
   */
  static final int LAST = 2;

  /**
   * Number of lanes that are named at once from which on no other type is pulled from until the
   * next decision: all messages of a turn are one commit.
   */
  static final int NAMED = 1_000;

  /** Wait from which on a run that is not due goes to the backlog once the window is half full. */
  private static final Duration FAR = Duration.ofMinutes(1);

  /** Of so many pulls of a type one is of the priority that was pulled longest ago. */
  private static final int TURN = 4;

  private final int most;

  /** Pulls by type; a new gate begins to count anew. */
  private final Map<String, Turns> turns = new HashMap<>();

  /** Pulls of a type so far. */
  private static final class Turns {
    private final long[] last = new long[BacklogStock.PRIORITIES];
    private long pulls;

    /**
     * Returns the priority of the next pull.
     *
     * @param open those of which runs may be pulled, the highest first
     */
    int next(List<Integer> open) {
      pulls++;
      int next = open.get(0);
      if (pulls % TURN == 0) {
        for (int priority : open) {
          next = last[priority] < last[next] ? priority : next;
        }
      }
      last[next] = pulls;
      return next;
    }
  }

  /**
   * Creates the window.
   *
   * @param most number of runs from which on it is full
   */
  Window(int most) {
    this.most = most;
  }

  private int low() {
    return Math.min(LOW, Math.max(1, most / 10));
  }

  /** Returns whether a run is given to the backlog. */
  boolean isFull(GateState state, GateIndex index, GateCommand.Enqueue e, Instant now) {
    int size = state.waiting().size();
    boolean far = e.notBefore() != null && e.notBefore().isAfter(now.plus(FAR));
    return state.backlog(e.type()).has(e.priority())
        || (size >= most && index.waiting(e.type(), e.priority()) >= RESERVED)
        || (far && size >= most / 2);
  }

  /** Returns the pulls to send: one of a type at a time. */
  List<GateStep> pulls(GateState state, GateIndex index, HostLabels hosts) {
    List<GateStep> pulls = new ArrayList<>();
    int named = 0;
    PullPlan.Ration ration = ration(state.waiting().size());
    for (Map.Entry<String, BacklogView> entry : state.knownBacklogs().entrySet()) {
      if (named >= NAMED) {
        break;
      }
      String type = entry.getKey();
      List<GateStep.Pull> open = open(state, index, hosts, type, entry.getValue(), ration);
      if (!open.isEmpty()) {
        List<Integer> priorities = open.stream().map(GateStep.Pull::priority).toList();
        int next = turns.computeIfAbsent(type, key -> new Turns()).next(priorities);
        GateStep.Pull pull = open.get(priorities.indexOf(next));
        named += pull.lanes().size();
        pulls.add(pull);
      }
    }
    return pulls;
  }

  /** Returns a pull of each priority of which runs are wanted, the highest first. */
  private static List<GateStep.Pull> open(
      GateState state,
      GateIndex index,
      HostLabels hosts,
      String type,
      BacklogView backlog,
      PullPlan.Ration ration) {
    List<GateStep.Pull> open = new ArrayList<>();
    for (int priority = BacklogStock.PRIORITIES - 1; priority >= 0; priority--) {
      GateStep.Pull pull = PullPlan.of(state, index, hosts, type, backlog, priority, ration);
      if (pull != null) {
        open.add(pull);
      }
    }
    return open;
  }

  /** Returns how much is pulled for a window of that size. */
  private PullPlan.Ration ration(int size) {
    int full = most + most / SPARE;
    if (size < most) {
      return new PullPlan.Ration(low(), low(), PULL, PULL, true);
    } else if (size < full) {
      int pulled = Math.max(RESERVED, Math.min(PULL, full - size));
      return new PullPlan.Ration(RESERVED, low(), pulled, RESERVED, true);
    }
    int start = Math.min(RESERVED, low());
    boolean past = size < most + most / LAST;
    return new PullPlan.Ration(RESERVED, start, RESERVED, RESERVED, past);
  }
}
