package io.callboard.time;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Clock;
import java.time.Duration;

/**
 * Clock and timers of a node, injected: its actors' timers and receive timeouts, the time limits of
 * asks, starts, stops and turns, backoffs, passivation and sweeps use it. A test may give one that
 * it advances by hand ({@code CallboardOptions.time}).
 *
 * <p>The monitoring of threads and connections uses the system's time: blocked threads, links and
 * heartbeats between nodes, sessions with the store, and the last resort when an actor does not
 * start or stop.
 */
public interface Time {
  /** The system's clock, and timers of the event loops of the context's Vert.x. */
  Time SYSTEM = new SystemTime();

  /**
   * The longest duration of a wait: 10,000 days. A longer option is refused; a longer timeout,
   * delay or deadline of one call is cut to this, and means never.
   */
  Duration LONGEST = Duration.ofDays(10_000);

  /** Returns the shorter of {@code asked} and {@link #LONGEST}. */
  static Duration atMostLongest(Duration asked) {
    return asked.compareTo(LONGEST) > 0 ? LONGEST : asked;
  }

  /** Returns the wall clock. It may jump. */
  Clock clock();

  /** Returns the nanoseconds of a monotonic clock; only differences are meaningful. */
  long nanoTime();

  /**
   * Schedules {@code task} to run once on {@code context}, after the delay. May be called from any
   * thread.
   *
   * @param delay zero or less means as soon as possible
   */
  Alarm after(Context context, Duration delay, Runnable task);

  /** Returns a future that completes on {@code context} after the delay. */
  default Future<Void> pause(Context context, Duration delay) {
    Promise<Void> passed = Promise.promise();
    Alarm unused = after(context, delay, passed::complete);
    return passed.future();
  }

  /** A scheduled task. */
  interface Alarm {
    /** Cancels the task if it has not begun. May be called from any thread. */
    void cancel();
  }
}
