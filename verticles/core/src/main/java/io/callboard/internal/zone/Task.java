package io.callboard.internal.zone;

import io.callboard.zone.ZonePriority;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Work that a context of the zone hands over: what waits in its queue, up to that being empty. It
 * is done once, however often it was given to a carrier: one that fails may have taken it all the
 * same.
 */
final class Task implements Runnable {
  private final Zone zone;
  private final ZonePriority priority;
  private final Runnable work;
  private final boolean yielding;
  private final long askedAt;
  private final AtomicBoolean begun = new AtomicBoolean();

  /**
   * @param yielding whether {@code work} does not do it, but hands it to the zone when it is its
   *     turn
   */
  Task(Zone zone, ZonePriority priority, Runnable work, boolean yielding, long askedAt) {
    this.zone = zone;
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

  /** Whether a thread does it or has done it. */
  boolean isBegun() {
    return begun.get();
  }

  /** Does it, on a thread of the zone. */
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

  /** Whether the caller is to do it; the first is. */
  boolean begin() {
    return begun.compareAndSet(false, true);
  }

  @Override
  public void run() {
    if (begin()) {
      zone.runTask(this);
    }
  }
}
