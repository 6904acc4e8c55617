package io.callboard.jobs.gate;

import io.callboard.jobs.protocol.BacklogStock;
import io.callboard.jobs.protocol.GateCommand;
import io.callboard.time.Machine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Window of the gate: the waiting runs that it chooses from. What waits beyond it is in the
 * backlogs of the types, and is pulled in by priority, first come, first served.
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

  private final int most;

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

  /** Returns what is to be pulled: one pull of a type at a time, higher priorities first. */
  List<GateStep> pulls(GateState state, GateIndex index) {
    List<GateStep> pulls = new ArrayList<>();
    int size = state.waiting().size();
    for (Map.Entry<String, BacklogView> entry : state.knownBacklogs().entrySet()) {
      for (int priority = BacklogStock.PRIORITIES - 1; priority >= 0; priority--) {
        int waiting = index.waiting(entry.getKey(), priority);
        boolean room = size < most ? waiting < low() : waiting < RESERVED;
        if (!entry.getValue().pulling() && entry.getValue().has(priority) && room) {
          pulls.add(new GateStep.Pull(entry.getKey(), priority, size < most ? PULL : RESERVED));
          break;
        }
      }
    }
    return pulls;
  }
}
