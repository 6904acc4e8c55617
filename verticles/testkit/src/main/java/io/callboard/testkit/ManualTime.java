package io.callboard.testkit;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.callboard.time.Time;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Time} that stands still until the test advances it.
 *
 * <pre>{@code
 * ManualTime time = new ManualTime();
 * Callboard callboard = Callboard.create(vertx, new CallboardOptions().time(time)).await();
 * time.stillness(Stillness.of(callboard));
 * ...
 * time.advance(Duration.ofMinutes(10)); // ten minutes of timers, timeouts and backoffs, in order
 * }</pre>
 *
 * <p>Due tasks run moment by moment: at each the clock shows that moment, the tasks run on their
 * contexts in the order in which they were scheduled, and with a {@link Stillness} all of their
 * consequences in the node have come to rest before the next moment. So a timer that an actor
 * starts because of another one is fired by the same {@link #advance}, in its turn.
 *
 * <p>The timeout of an ask fires up to 20 ms late, because all of them share one timer wheel of 10
 * ms.
 */
public final class ManualTime implements Time {
  /** Default start of the clock. */
  public static final Instant BEGIN = Instant.parse("2000-01-01T00:00:00Z");

  /**
   * Maximum number of tasks that one {@link #advance} runs, as a timer of a microsecond would never
   * end it.
   */
  static final int MOST_TASKS = 10_000_000;

  private final Instant begin;
  private final Queue<Due> waiting =
      new PriorityQueue<>(
          Comparator.<Due>comparingLong(due -> due.atNanos).thenComparingLong(due -> due.number));
  private @Nullable Stillness stillness;
  private long numbers;
  private volatile long nowNanos;

  /** Creates a time that starts at {@link #BEGIN}. */
  public ManualTime() {
    this(BEGIN);
  }

  /** Creates a time that starts at {@code begin}. */
  public ManualTime(Instant begin) {
    this.begin = begin;
  }

  private final class Due implements Alarm {
    private final long atNanos;
    private final long number;
    private final Context context;
    private final Runnable task;
    private boolean over;

    Due(long atNanos, long number, Context context, Runnable task) {
      this.atNanos = atNanos;
      this.number = number;
      this.context = context;
      this.task = task;
    }

    @Override
    public void cancel() {
      synchronized (waiting) {
        over = true;
        boolean unused = waiting.remove(this);
      }
    }

    boolean begins() {
      synchronized (waiting) {
        return !over;
      }
    }
  }

  /** Sets the stillness of a node, for which {@link #advance} waits after each moment. */
  public void stillness(Stillness given) {
    stillness = given;
  }

  /**
   * Returns the stillness of the node; empty if {@link #advance} waits only for the due tasks
   * themselves.
   */
  public Optional<Stillness> stillness() {
    return Optional.ofNullable(stillness);
  }

  @Override
  public long nanoTime() {
    return nowNanos;
  }

  @Override
  public Clock clock() {
    return new ManualClock(ZoneOffset.UTC);
  }

  @Override
  public Alarm after(Context context, Duration delay, Runnable task) {
    synchronized (waiting) {
      long atNanos = nowNanos + Math.max(0, delay.toNanos());
      Due due = new Due(atNanos, numbers++, context, task);
      waiting.add(due);
      return due;
    }
  }

  /** Returns the time until the next task is due; empty if there is none. */
  public Optional<Duration> untilNext() {
    synchronized (waiting) {
      Due next = waiting.peek();
      return next == null
          ? Optional.empty()
          : Optional.of(Duration.ofNanos(Math.max(0, next.atNanos - nowNanos)));
    }
  }

  /**
   * Advances the time and runs the tasks that become due.
   *
   * @param by time to advance; zero runs the tasks that are due now
   * @return the number of tasks that were due; 0 if no task waited for this time
   * @throws AssertionError if a context does not run its task within 10 s, or something goes on and
   *     on
   * @throws IllegalStateException on a thread of Vert.x, which would wait for itself
   */
  @CanIgnoreReturnValue
  public int advance(Duration by) {
    if (by.isNegative()) {
      throw new IllegalArgumentException("the time can only advance, not by " + by);
    } else if (Vertx.currentContext() != null) {
      throw new IllegalStateException(
          "advance the time on the test's thread, not on a Vert.x context");
    }
    rest();
    long untilNanos = nowNanos + by.toNanos();
    int count = runUntil(untilNanos, by);
    nowNanos = untilNanos;
    return count;
  }

  /**
   * Advances the time in one leap, as after the sleep of a machine: the tasks that became due run
   * afterwards, in order, and periodic ones only once.
   */
  public void leap(Duration by) {
    rest();
    nowNanos += by.toNanos();
    int unused = runUntil(nowNanos, by);
  }

  /** Advances the time like {@link #leap}, for a node that is ending and does not come to rest. */
  public void leapOnly(Duration by) {
    stillness = null;
    leap(by);
  }

  private int runUntil(long untilNanos, Duration by) {
    int count = 0;
    for (Due due = take(untilNanos); due != null; due = take(untilNanos)) {
      if (due.atNanos > nowNanos) {
        nowNanos = due.atNanos;
      }
      run(due);
      if (++count == MOST_TASKS) {
        throw new AssertionError(
            "%d tasks were due within %s: tasks keep starting others without a delay"
                .formatted(count, by));
      }
      if (isLastOfItsMoment()) {
        rest();
      }
    }
    return count;
  }

  private @Nullable Due take(long untilNanos) {
    synchronized (waiting) {
      Due next = waiting.peek();
      return next == null || next.atNanos > untilNanos ? null : waiting.poll();
    }
  }

  private boolean isLastOfItsMoment() {
    synchronized (waiting) {
      Due next = waiting.peek();
      return next == null || next.atNanos > nowNanos;
    }
  }

  private void rest() {
    if (stillness != null) {
      stillness.await();
    }
  }

  private static void run(Due due) {
    CountDownLatch done = new CountDownLatch(1);
    try {
      due.context.runOnContext(
          v -> {
            try {
              if (due.begins()) {
                due.task.run();
              }
            } finally {
              done.countDown();
            }
          });
    } catch (RejectedExecutionException closed) {
      return; // its Vert.x is closed, so nobody waits any more, as with the system's timers
    }
    await(done, due);
  }

  private static void await(CountDownLatch done, Due due) {
    WaitLimit wait = WaitLimit.of(WaitLimit.LIMIT);
    try {
      if (!done.await(wait.leftNs(), TimeUnit.NANOSECONDS)) {
        wait.reportExpiry();
        throw new AssertionError(
            "a due task does not run within %s: something blocks its context, %s"
                .formatted(wait.limit(), due.context));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while a task was due", e);
    }
  }

  private final class ManualClock extends Clock {
    private final ZoneId zone;

    ManualClock(ZoneId zone) {
      this.zone = zone;
    }

    @Override
    public ZoneId getZone() {
      return zone;
    }

    @Override
    public Clock withZone(ZoneId other) {
      return new ManualClock(other);
    }

    @Override
    public Instant instant() {
      return begin.plusNanos(nowNanos);
    }
  }
}
