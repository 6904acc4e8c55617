package io.callboard;

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
