package io.callboard.testkit.internal.world;

import io.callboard.time.Time.Alarm;
import java.util.ArrayList;
import java.util.List;

/**
 * Tasks of a node: those that come due while it is frozen run when it thaws, in their order. One
 * thread.
 */
final class NodeTasks {
  private final WorldTime time;
  private List<Task> held = new ArrayList<>();
  private boolean alive = true;
  private long frozenUntil = -WorldTime.SECOND;

  private final class Task implements Alarm {
    private final Runnable work;
    private boolean cancelled;

    Task(Runnable work) {
      this.work = work;
    }

    @Override
    public void cancel() {
      cancelled = true;
    }

    void due() {
      if (!alive || cancelled) {
        return;
      } else if (areFrozen()) {
        held.add(this);
      } else {
        work.run();
      }
    }
  }

  NodeTasks(WorldTime time) {
    this.time = time;
  }

  /** Returns whether nothing of the node runs now. */
  boolean areFrozen() {
    return time.now() < frozenUntil;
  }

  /** Returns the time since it thawed; negative while it is frozen. */
  long haveGoneOnFor() {
    return time.now() - frozenUntil;
  }

  /** Schedules a task; a dead node never runs it. */
  Alarm after(long delayNs, Runnable work) {
    Task task = new Task(work);
    time.after(delayNs, task::due);
    return task;
  }

  /** Freezes the node for a time, or longer if it stands still already. */
  void freeze(long forNs) {
    frozenUntil = Math.max(frozenUntil, time.now() + forNs);
    time.after(forNs, this::goOn);
  }

  /** Makes the node go on now. */
  void thaw() {
    if (areFrozen()) {
      frozenUntil = time.now();
      time.after(0, this::goOn);
    }
  }

  private void goOn() {
    if (!areFrozen()) {
      List<Task> waiting = held;
      held = new ArrayList<>();
      waiting.forEach(Task::due);
    }
  }

  /** Ends all. */
  void die() {
    alive = false;
    held.clear();
  }
}
