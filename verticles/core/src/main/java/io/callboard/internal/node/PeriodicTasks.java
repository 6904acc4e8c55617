package io.callboard.internal.node;

import io.callboard.internal.activation.DurableActors;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.membership.Groups;
import io.callboard.time.Time;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

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
    schedulePassivation();
    scheduleSweep();
  }

  void stop() {
    alarms.values().forEach(Time.Alarm::cancel);
  }

  private void schedulePassivation() {
    again(
        "passivation",
        PASSIVATION_TICK,
        () -> {
          schedulePassivation(); // first: it goes on whatever becomes of this one
          durables.passivate();
        });
  }

  /** Schedules the next sweep at an irregular interval, so that nodes do not sweep together. */
  private void scheduleSweep() {
    long period = node.options().sweepEvery().toMillis();
    long delay = Math.max(1, period * 3 / 4 + node.random().nextLong(period / 2 + 1));
    again(
        "sweep",
        Duration.ofMillis(delay),
        () -> {
          scheduleSweep();
          durables.sweep();
          groups.membersChanged();
        });
  }

  private void again(String what, Duration delay, Runnable task) {
    alarms.put(
        what,
        node.after(
            delay,
            () -> {
              if (!node.isClosing()) {
                task.run();
              }
            }));
  }
}
