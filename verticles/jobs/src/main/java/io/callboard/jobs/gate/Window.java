package io.callboard.jobs.gate;

import io.callboard.jobs.protocol.BacklogStock;
import io.callboard.jobs.protocol.GateCommand;
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
 * <p>Invariant: of one type and priority, every due run of the window was enqueued before every one
 * of the backlog. So a run is given to the backlog while others of its type and priority are there,
 * or under way to it.
 */
@Machine
final class Window {
  /** Number of runs from which on the gate's window is full. */
  static final int MOST = 20_000;

  /** Runs of each type and priority that are taken though the window is full. */
  static final int RESERVED = 10;

  /** Number of runs of a type and priority below which others are pulled. */
  static final int LOW = 200;

  /** Number of runs that are pulled at once: their message stays small. */
  static final int PULL = 200;

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

  /** Returns what is to be pulled: one pull of a type at a time. */
  List<GateStep> pulls(GateState state, GateIndex index) {
    List<GateStep> pulls = new ArrayList<>();
    int pulled = state.waiting().size() < most ? PULL : RESERVED;
    for (Map.Entry<String, BacklogView> entry : state.knownBacklogs().entrySet()) {
      String type = entry.getKey();
      List<Integer> open = open(state, index, type, entry.getValue());
      if (!open.isEmpty()) {
        int priority = turns.computeIfAbsent(type, key -> new Turns()).next(open);
        pulls.add(new GateStep.Pull(type, priority, pulled));
      }
    }
    return pulls;
  }

  /** Returns the priorities of which a backlog has runs and the window few, the highest first. */
  private List<Integer> open(GateState state, GateIndex index, String type, BacklogView backlog) {
    List<Integer> open = new ArrayList<>();
    int few = state.waiting().size() < most ? low() : RESERVED;
    for (int priority = BacklogStock.PRIORITIES - 1; priority >= 0; priority--) {
      if (!backlog.pulling() && backlog.has(priority) && index.waiting(type, priority) < few) {
        open.add(priority);
      }
    }
    return open;
  }
}
