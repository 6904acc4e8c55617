package io.callboard.testkit.internal.world;

import io.callboard.time.Time;
import io.vertx.core.Context;
import java.time.Clock;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Time of an actor, whose tasks may fail it: by an {@link IllegalStateException}. Whatever else one
 * throws is a bug.
 *
 * @param over whether the actor's object has ended, of which nothing follows
 * @param failed what follows a failure
 */
record FailingTasks(Time time, BooleanSupplier over, Runnable failed) implements Time {
  @Override
  public Clock clock() {
    return time.clock();
  }

  @Override
  public long nanoTime() {
    return time.nanoTime();
  }

  @Override
  public Alarm after(Context context, Duration delay, Runnable task) {
    return time.after(context, delay, () -> run(task));
  }

  private void run(Runnable task) {
    try {
      task.run();
    } catch (IllegalStateException e) {
      if (!over.getAsBoolean()) {
        failed.run();
      }
    }
  }
}
