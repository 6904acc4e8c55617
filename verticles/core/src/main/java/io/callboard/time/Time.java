package io.callboard.time;

import io.callboard.CallboardOptions;
import io.vertx.core.Context;
import java.time.Clock;
import java.time.Duration;

/**
 * The time of a node: all that its actors wait for, and all that waits for them, goes by it. Their
 * timers and receive timeouts, asks, starts, stops and turns that take too long, backoffs,
 * passivation and sweeps. A test gives one that it moves by hand ({@link CallboardOptions#time}).
 *
 * <p>What watches over threads and connections stays with the system: blocked threads, links
 * between nodes, sessions with the store, and the last resort when an actor does not start or stop.
 */
public interface Time {
  /** The system's clock, and timers of the event loops of the context's Vert.x. */
  Time SYSTEM = new SystemTime();

  /**
   * The longest that anything waits: 10,000 days. An option that is longer is refused. What one
   * call asks for, a timeout, a delay or a deadline, is cut to this: later than that is never.
   */
  Duration LONGEST = Duration.ofDays(10_000);

  /** {@code asked}, or {@link #LONGEST} if that is less. */
  static Duration atMostLongest(Duration asked) {
    return asked.compareTo(LONGEST) > 0 ? LONGEST : asked;
  }

  /** What people call the time. It may jump. */
  Clock clock();

  /** Nanoseconds of a clock that never goes back; only differences mean something. */
  long nanoTime();

  /**
   * Runs {@code task} on {@code context} after the delay, once. Any thread.
   *
   * @param delay one that is over already means at the next opportunity
   */
  Alarm after(Context context, Duration delay, Runnable task);

  /** A task that waits for its time. */
  interface Alarm {
    /** The task does not run any more, if it has not begun. Any thread. */
    void cancel();
  }
}
