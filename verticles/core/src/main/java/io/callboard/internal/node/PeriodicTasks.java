package io.callboard.internal.node;

import io.callboard.internal.activation.DurableActors;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.membership.Groups;
import io.callboard.time.Time;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Periodic tasks of a node: the passivation of idle hosted actors, and the sweep of leases, mail
 * and groups. On the durable context.
 */
final class PeriodicTasks {
  private static final Duration PASSIVATION_TICK = Duration.ofSeconds(5);

  private final NodeContext node;
  private final DurableActors durables;
  private final Groups groups;
  private final Map<String, Time.Alarm> alarms = new HashMap<>();

  PeriodicTasks(NodeContext node, DurableActors durables, Groups groups) {
    this.node = node;
    this.durables = durables;
    this.groups = groups;
  }

  void start() {
    schedule("passivation", () -> PASSIVATION_TICK, durables::passivate);
    schedule("sweep", this::sweepPause, this::sweep);
  }

  void stop() {
    alarms.values().forEach(Time.Alarm::cancel);
  }

  /** Returns an irregular pause, so that nodes do not sweep together. */
  private Duration sweepPause() {
    long period = node.options().sweepEvery().toMillis();
    return Duration.ofMillis(Math.max(1, period * 3 / 4 + node.random().nextLong(period / 2 + 1)));
  }

  private void sweep() {
    durables.sweep();
    groups.membersChanged();
  }

  /** Runs a task after each pause, whatever becomes of it the time before. */
  private void schedule(String what, Supplier<Duration> pause, Runnable task) {
    Runnable due =
        () -> {
          if (!node.isClosing()) {
            schedule(what, pause, task);
            task.run();
          }
        };
    alarms.put(what, node.after(pause.get(), due));
  }
}
