package io.callboard.internal.zone;

import org.jspecify.annotations.Nullable;

/**
 * State of a thread in a zone: whether it is busy, since when and with whose slice. Written by that
 * thread, read by any.
 */
final class ThreadState {
  private final Thread thread;
  private volatile long since;
  private volatile @Nullable Object label;
  private int taken;
  private boolean yielding;
  private @Nullable Runnable doing;
  private @Nullable Runnable suspended;
  private @Nullable Runnable next;

  /** State of a busy thread. */
  record Busy(Thread thread, long since, @Nullable Object label) {}

  ThreadState(Thread thread) {
    this.thread = thread;
  }

  Thread thread() {
    return thread;
  }

  /**
   * Begins a slice.
   *
   * @param whose the actor; null if it is not known yet
   */
  void take(long nowNanos, @Nullable Object whose) {
    taken++;
    label = whose;
    since = nowNanos == 0 ? 1 : nowNanos;
  }

  /** Returns the number of slices so far; on the thread itself. */
  int taken() {
    return taken;
  }

  boolean isTaken() {
    return since != 0;
  }

  /** Sets whose slice it is. */
  void label(@Nullable Object whose) {
    label = whose;
  }

  /** Runs {@code work} of a context; on the thread itself. */
  void work(Runnable work) {
    doing = work;
    try {
      work.run();
    } finally {
      doing = null;
    }
  }

  /**
   * Returns whether the thread is running {@code work}, which is requested again for the first
   * time: so the thread is about to block in it. On the thread itself.
   */
  boolean suspends(Runnable work) {
    if (doing != work || suspended == work) {
      return false;
    }
    suspended = work;
    return true;
  }

  /**
   * Takes the work that was blocked in the slice that has ended; null if there was none. On the
   * thread itself.
   */
  @Nullable Runnable resumed() {
    Runnable waited = suspended;
    suspended = null;
    return waited;
  }

  /** Ends a slice. */
  void leave() {
    label = null;
    since = 0;
  }

  @Nullable Busy busy() {
    long begun = since;
    return begun == 0 ? null : new Busy(thread, begun, label);
  }

  /**
   * Runs {@code turn}, which hands the next work to the zone.
   *
   * @return that work instead of the zone getting it; null if there is none. On the thread itself.
   */
  @Nullable Runnable handedOverBy(Runnable turn) {
    yielding = true;
    try {
      turn.run();
    } finally {
      yielding = false;
    }
    Runnable handed = next;
    next = null;
    return handed;
  }

  /**
   * Takes {@code task} as the next work, if that is expected; on the thread itself.
   *
   * @return whether it was taken
   */
  boolean takesOver(Runnable task) {
    if (!yielding || next != null) {
      return false;
    }
    next = task;
    return true;
  }
}
