package io.callboard.jobs.internal.gate;

import io.callboard.jobs.internal.protocol.BacklogLane;
import io.callboard.jobs.internal.protocol.BacklogStock;
import io.callboard.time.Machine;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Gate's view of the backlog of a type, which may be behind.
 *
 * @param kept number of runs that the gate gave it so far, by priority
 * @param stock its last report
 * @param pulling whether runs are being pulled from it
 * @param left lanes that pulls named and of which it holds due runs, as of the same report; 0 of a
 *     lane if the report does not say how many; null for none, and from an older node
 */
@Machine
public record BacklogView(
    List<Long> kept, BacklogStock stock, boolean pulling, @Nullable List<BacklogLane> left) {
  private static final List<Long> NONE = Collections.nCopies(BacklogStock.PRIORITIES, 0L);

  /** A backlog that nothing was given to. */
  static final BacklogView EMPTY =
      new BacklogView(
          NONE, new BacklogStock(Collections.nCopies(BacklogStock.PRIORITIES, 0), NONE), false);

  /** Copies the lists. */
  public BacklogView {
    kept = List.copyOf(kept);
    left = left == null || left.isEmpty() ? null : List.copyOf(left);
  }

  /** Creates a view of a backlog without known lanes. */
  public BacklogView(List<Long> kept, BacklogStock stock, boolean pulling) {
    this(kept, stock, pulling, null);
  }

  /** Returns whether the backlog may hold due runs of a priority; runs on their way to it count. */
  boolean has(int priority) {
    return stock.due().get(priority) > 0 || kept.get(priority) > stock.seen().get(priority);
  }

  /** Returns the known lanes with due runs. */
  List<BacklogLane> lanes() {
    return left == null ? List.of() : left;
  }

  /**
   * Returns the number of due runs of a priority outside of some lanes; runs on their way to the
   * backlog count.
   */
  long beside(int priority, Predicate<BacklogLane> without) {
    long due = stock.due().get(priority);
    long underWay = Math.max(0, kept.get(priority) - stock.seen().get(priority));
    for (BacklogLane lane : lanes()) {
      due -= lane.priority() == priority && without.test(lane) ? lane.runs() : 0;
    }
    return due + underWay;
  }

  /** Returns the number of due runs; runs on their way to the backlog count. */
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
    return new BacklogView(next, stock, pulling, left);
  }

  BacklogView pulled() {
    return new BacklogView(kept, stock, true, left);
  }

  /** Returns the view after a report without the numbers of runs of the lanes. */
  BacklogView stocked(BacklogStock now) {
    List<BacklogLane> known =
        lanes().stream().map(lane -> new BacklogLane(lane.priority(), lane.limits(), 0)).toList();
    return new BacklogView(kept, now, pulling, known);
  }

  /** Returns the view after the answer to a pull, which named every known lane. */
  BacklogView returned(BacklogStock now, @Nullable List<BacklogLane> lanes) {
    return new BacklogView(kept, now, false, lanes);
  }
}
