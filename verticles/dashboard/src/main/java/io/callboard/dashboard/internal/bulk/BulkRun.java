package io.callboard.dashboard.internal.bulk;

import io.callboard.dashboard.internal.bulk.BulkStatus.State;
import io.callboard.time.Machine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One run over many items, by rate: the items to begin now, and the results of the others. */
@Machine
final class BulkRun {
  /** Maximum number of items under way at once. */
  static final int MOST_AT_ONCE = 20;

  /** Maximum number of failures that are listed. */
  static final int MOST_LISTED = 100;

  /** Number of failures one after the other, not due to the item, after which it gives up. */
  static final int MOST_IN_A_ROW = 20;

  /** Time that a delayed run may catch up. */
  private static final long CATCHES_UP_NANOS = Duration.ofMillis(100).toNanos();

  private final List<String> ids;
  private final long interval;
  private final List<BulkFailure> failures = new ArrayList<>();
  private long due;
  private int next;
  private int underWay;
  private int done;
  private int failed;
  private int inARow;
  private State state = State.RUNNING;
  private @Nullable String why;

  /**
   * @param ratePerSecond over 0
   * @param now of a monotonic clock, in nanoseconds
   */
  BulkRun(List<String> ids, double ratePerSecond, long now) {
    this.ids = List.copyOf(ids);
    this.interval = (long) (Duration.ofSeconds(1).toNanos() / ratePerSecond);
    this.due = now;
    end();
  }

  /** Returns the items to begin now. */
  List<String> begin(long now) {
    List<String> some = new ArrayList<>();
    while (isAble() && now - due >= 0) {
      some.add(ids.get(next++));
      underWay++;
      due = (now - due > CATCHES_UP_NANOS ? now - CATCHES_UP_NANOS : due) + interval;
    }
    return some;
  }

  /**
   * Returns the time until {@link #begin} is to be called again; empty if that depends on the end
   * of an item.
   */
  Optional<Duration> waits(long now) {
    return isAble() ? Optional.of(Duration.ofNanos(Math.max(0, due - now))) : Optional.empty();
  }

  private boolean isAble() {
    return state == State.RUNNING && next < ids.size() && underWay < MOST_AT_ONCE;
  }

  /** Records an item to which the action was done. */
  void succeeded() {
    underWay--;
    done++;
    inARow = 0;
    end();
  }

  /**
   * Records an item to which the action was not done.
   *
   * @param ofItem whether that is due to the item, such as to its state
   */
  void failed(BulkFailure failure, boolean ofItem) {
    underWay--;
    failed++;
    inARow = ofItem ? 0 : inARow + 1;
    if (failures.size() < MOST_LISTED) {
      failures.add(failure);
    }
    if (inARow >= MOST_IN_A_ROW && state == State.RUNNING && next < ids.size()) {
      state = State.GAVE_UP;
      why =
          "%d failed one after the other, the last with: %s; %d were not tried"
              .formatted(inARow, failure.detail(), ids.size() - next);
    }
    end();
  }

  /** Begins no further items. */
  void stop(String cause) {
    if (state == State.RUNNING) {
      state = State.STOPPED;
      why = "%s; %d were not tried".formatted(cause, ids.size() - next);
    }
  }

  private void end() {
    if (state == State.RUNNING && next == ids.size() && underWay == 0) {
      state = State.ENDED;
    }
  }

  /** Returns whether no item is under way, or will be. */
  boolean isOver() {
    return state != State.RUNNING && underWay == 0;
  }

  State state() {
    return state;
  }

  @Nullable String why() {
    return why;
  }

  int matched() {
    return ids.size();
  }

  int done() {
    return done;
  }

  int failed() {
    return failed;
  }

  List<BulkFailure> failures() {
    return failures;
  }
}
