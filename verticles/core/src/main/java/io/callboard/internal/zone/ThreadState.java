package io.callboard.internal.zone;

import org.jspecify.annotations.Nullable;

/** A thread in a zone, and what it does there. Written by that thread, read by any. */
final class ThreadState {
  private final Thread thread;
  private volatile long since;
  private volatile @Nullable Object label;
  private int taken;
  private boolean yielding;
  private @Nullable Runnable doing;
  private @Nullable Runnable suspended;
  private @Nullable Runnable next;

  /** What a busy thread does. */
  record Busy(Thread thread, long since, @Nullable Object label) {}

  ThreadState(Thread thread) {
    this.thread = thread;
  }

  Thread thread() {
    return thread;
  }

  /**
   * A slice begins.
   *
   * @param whose null if that is not known yet
   */
  void take(long nowNanos, @Nullable Object whose) {
    taken++;
    label = whose;
    since = nowNanos == 0 ? 1 : nowNanos;
  }

  /** Slices so far; on the thread itself. */
  int taken() {
    return taken;
  }

  boolean isTaken() {
    return since != 0;
  }

  /** Whose slice it is. */
  void label(@Nullable Object whose) {
    label = whose;
  }

  /** Does {@code work} of a context; on the thread itself. */
  void work(Runnable work) {
    doing = work;
    try {
      work.run();
    } finally {
      doing = null;
    }
  }

  /**
   * Whether the thread does that now, further up, and it is asked for again for the first time:
   * then it is going to wait. On the thread itself.
   */
  boolean suspends(Runnable work) {
    if (doing != work || suspended == work) {
      return false;
    }
    suspended = work;
    return true;
  }

  /** What waited in the slice that has ended; null if nothing did. On the thread itself. */
  @Nullable Runnable resumed() {
    Runnable waited = suspended;
    suspended = null;
    return waited;
  }

  /** The slice has ended. */
  void leave() {
    label = null;
    since = 0;
  }

  @Nullable Busy busy() {
    long begun = since;
    return begun == 0 ? null : new Busy(thread, begun, label);
  }

  /**
   * Runs {@code turn}, which hands what is to be run next to the zone; what it hands over is
   * returned instead, or null. On the thread itself.
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

  /** Whether it was taken as what is to be run next; on the thread itself. */
  boolean takesOver(Runnable task) {
    if (!yielding || next != null) {
      return false;
    }
    next = task;
    return true;
  }
}
