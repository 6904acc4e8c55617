package io.callboard.testkit.internal.world;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.callboard.time.Time.Alarm;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;

/** Virtual time of a world: everything that happens in it is a task of this queue. One thread. */
public final class WorldTime {
  /** A millisecond in nanoseconds. */
  public static final long MS = 1_000_000;

  /** A second in nanoseconds. */
  public static final long SECOND = 1_000 * MS;

  private final PriorityQueue<Due> tasks =
      new PriorityQueue<>(
          Comparator.<Due>comparingLong(due -> due.atNs).thenComparingLong(due -> due.number));
  private long nowNs;
  private long numbers;

  private static final class Due implements Alarm {
    private final long atNs;
    private final long number;
    private final Runnable task;
    private boolean cancelled;

    Due(long atNs, long number, Runnable task) {
      this.atNs = atNs;
      this.number = number;
      this.task = task;
    }

    @Override
    public void cancel() {
      cancelled = true;
    }
  }

  /** Returns the true time, which no machine of the world knows. */
  public long now() {
    return nowNs;
  }

  /** Returns the number of tasks so far. */
  public long tasks() {
    return numbers;
  }

  /** Schedules a task. */
  @CanIgnoreReturnValue
  public Alarm after(long delayNs, Runnable task) {
    Due due = new Due(nowNs + Math.max(0, delayNs), numbers++, task);
    tasks.add(due);
    return due;
  }

  /** Runs what is due until a time. */
  public void runUntil(long untilNs) {
    while (!tasks.isEmpty() && tasks.peek().atNs <= untilNs) {
      Due due = tasks.remove();
      nowNs = due.atNs;
      if (!due.cancelled) {
        due.task.run();
      }
    }
    nowNs = untilNs;
  }

  static long nanos(Duration delay) {
    return delay.getSeconds() > 1_000_000 ? 1_000_000 * SECOND : delay.toNanos();
  }
}
