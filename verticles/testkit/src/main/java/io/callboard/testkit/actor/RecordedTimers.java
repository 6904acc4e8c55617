package io.callboard.testkit.actor;

import io.callboard.testkit.ManualTime;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Timers of a tested actor, with the times at which they are due, by its node's time. */
final class RecordedTimers {
  private final ManualTime time;
  private final Map<String, Due> volatiles = new HashMap<>();
  private final Map<String, Due> durables = new HashMap<>();
  private @Nullable Duration idle;

  private record Due(long atNanos, @Nullable Duration period) {}

  RecordedTimers(ManualTime time) {
    this.time = time;
  }

  void did(Effect effect) {
    if (effect instanceof Effect.TimerStarted timer) {
      volatiles.put(timer.key(), due(timer.delay(), timer.periodic()));
    } else if (effect instanceof Effect.TimerCancelled timer) {
      volatiles.remove(timer.key());
    } else if (effect instanceof Effect.DurableTimerStarted timer) {
      durables.put(timer.key(), due(timer.delay(), timer.periodic()));
    } else if (effect instanceof Effect.DurableTimerCancelled timer) {
      durables.remove(timer.key());
    } else if (effect instanceof Effect.Deleted) {
      durables.clear();
    } else if (effect instanceof Effect.IdleTimerStarted timer) {
      idle = timer.idle();
    } else if (effect instanceof Effect.IdleTimerCancelled) {
      idle = null;
    }
  }

  private Due due(Duration delay, boolean periodic) {
    return new Due(time.nanoTime() + delay.toNanos(), periodic ? delay : null);
  }

  /** Removes the volatile timers of an object that has ended; durable ones stay. */
  void restarted() {
    volatiles.clear();
    idle = null;
  }

  /** Returns whether there is a durable timer of that key. */
  boolean isDurable(String key) {
    return durables.containsKey(key);
  }

  /**
   * Returns the time until the timer is due, for the first time or again; null if there is none.
   */
  @Nullable Duration until(String key) {
    Due due = volatiles.getOrDefault(key, durables.get(key));
    if (due == null) {
      return null;
    }
    long nanos = due.atNanos() - time.nanoTime();
    if (nanos <= 0 && due.period() != null) {
      long period = due.period().toNanos();
      nanos = period - (-nanos % period);
    }
    return Duration.ofNanos(Math.max(0, nanos));
  }

  /** Returns the receive timeout; null if the actor has set none. */
  @Nullable Duration idle() {
    return idle;
  }
}
