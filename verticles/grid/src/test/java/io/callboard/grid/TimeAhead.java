package io.callboard.grid;

import io.callboard.time.Time;
import io.vertx.core.Context;
import java.time.Clock;
import java.time.Duration;

/** The system's time on a machine whose clock is ahead. */
record TimeAhead(Clock clock) implements Time {
  TimeAhead(Duration ahead) {
    this(Clock.offset(Clock.systemUTC(), ahead));
  }

  @Override
  public long nanoTime() {
    return Time.SYSTEM.nanoTime();
  }

  @Override
  public Alarm after(Context context, Duration delay, Runnable task) {
    return Time.SYSTEM.after(context, delay, task);
  }
}
