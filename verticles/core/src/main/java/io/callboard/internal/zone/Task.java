package io.callboard.internal.zone;

import io.callboard.zone.ZonePriority;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Task of a context of the zone: to run the context's queue until it is empty. It runs once,
 * however often it was handed to threads: a hand-over that fails may have succeeded all the same.
 */
final class Task implements Runnable {
  private final Consumer<Task> runner;
  private final ZonePriority priority;
  private final Runnable work;
  private final boolean yielding;
  private final long askedAt;
  private final AtomicBoolean begun = new AtomicBoolean();

  /**
   * @param runner runs it, on a thread of the zone, when it is begun
   * @param yielding whether {@code work} hands the actual work to the zone when its turn comes
   */
  Task(
      Consumer<Task> runner, ZonePriority priority, Runnable work, boolean yielding, long askedAt) {
    this.runner = runner;
    this.priority = priority;
    this.work = work;
    this.yielding = yielding;
    this.askedAt = askedAt;
  }

  ZonePriority priority() {
    return priority;
  }

  long askedAt() {
    return askedAt;
  }

  /** Returns whether a thread has begun the task. */
  boolean isBegun() {
    return begun.get();
  }

  /** Runs the work, on a thread of the zone. */
  void work(ThreadState threadState) {
    if (!yielding) {
      threadState.work(work);
      return;
    }
    Runnable handed = threadState.handedOverBy(work);
    if (handed != null) {
      threadState.work(handed);
    }
  }

  /** Claims the task; true for the first caller, which is to run it. */
  boolean begin() {
    return begun.compareAndSet(false, true);
  }

  @Override
  public void run() {
    if (begin()) {
      runner.accept(this);
    }
  }
}
