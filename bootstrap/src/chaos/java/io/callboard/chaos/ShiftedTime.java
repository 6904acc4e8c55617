package io.callboard.chaos;

import io.callboard.time.Time;
import io.vertx.core.Context;
import java.time.Clock;
import java.time.Duration;

/**
 * Time of a host whose clock is ahead or behind; waits are as long as elsewhere.
 *
 * @param clock its clock
 */
public record ShiftedTime(Clock clock) implements Time {
  /** Property with the milliseconds by which the clock of a node is ahead. */
  public static final String PROPERTY = "chaos.clock";

  /** Returns the time of this process. */
  public static Time ofThisProcess() {
    Duration ahead = Duration.ofMillis(Long.getLong(PROPERTY, 0));
    return ahead.isZero() ? SYSTEM : new ShiftedTime(Clock.offset(SYSTEM.clock(), ahead));
  }

  @Override
  public long nanoTime() {
    return SYSTEM.nanoTime();
  }

  @Override
  public Alarm after(Context context, Duration delay, Runnable task) {
    return SYSTEM.after(context, delay, task);
  }
}
