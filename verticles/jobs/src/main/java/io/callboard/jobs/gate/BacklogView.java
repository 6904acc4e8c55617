package io.callboard.jobs.gate;

import io.callboard.jobs.protocol.BacklogStock;
import io.callboard.time.Machine;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What the gate knows of the backlog of a type, which may be behind.
 *
 * @param kept number of runs that the gate gave it so far, by priority
 * @param stock its last report
 * @param pulling whether runs are being pulled from it
 */
@Machine
public record BacklogView(List<Long> kept, BacklogStock stock, boolean pulling) {
  private static final List<Long> NONE = Collections.nCopies(BacklogStock.PRIORITIES, 0L);

  /** A backlog that nothing was given to. */
  static final BacklogView EMPTY =
      new BacklogView(
          NONE, new BacklogStock(Collections.nCopies(BacklogStock.PRIORITIES, 0), NONE), false);

  /** Copies the list. */
  public BacklogView {
    kept = List.copyOf(kept);
  }

  /** Returns whether it holds due runs of that priority, or may: runs under way to it count. */
  boolean has(int priority) {
    return stock.due().get(priority) > 0 || kept.get(priority) > stock.seen().get(priority);
  }

  /** Returns the number of due runs in it and under way to it. */
  public int size() {
    long size = 0;
    for (int i = 0; i < BacklogStock.PRIORITIES; i++) {
      size += stock.due().get(i) + kept.get(i) - stock.seen().get(i);
    }
    return (int) Math.min(Integer.MAX_VALUE, size);
  }

  boolean isEmpty() {
    return equals(EMPTY);
  }

  BacklogView kept(int priority) {
    List<Long> next = new ArrayList<>(kept);
    next.set(priority, kept.get(priority) + 1);
    return new BacklogView(next, stock, pulling);
  }

  BacklogView pulled() {
    return new BacklogView(kept, stock, true);
  }

  BacklogView stocked(BacklogStock now, boolean pulled) {
    return new BacklogView(kept, now, pulling && !pulled);
  }
}
