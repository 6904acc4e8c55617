package io.callboard.internal.failurezone;

import io.callboard.supervision.Intensity;
import io.callboard.supervision.RestartBudget;
import io.callboard.time.Machine;
import java.util.ArrayDeque;
import java.util.Deque;

/** Window of the recent restarts, as an {@link Intensity} counts them. Thread-safe. */
@Machine
public final class RestartWindow {
  private Intensity intensity;
  private final Deque<Long> restartsNs = new ArrayDeque<>(0);

  RestartWindow(Intensity intensity) {
    this.intensity = intensity;
  }

  /**
   * Counts one more restart, unless that would exceed the limit.
   *
   * @return whether it was counted
   */
  synchronized boolean allows(long nowNs) {
    forgetOld(nowNs);
    if (restartsNs.size() >= intensity.restarts()) {
      return false;
    }
    restartsNs.addLast(nowNs);
    return true;
  }

  private void forgetOld(long nowNs) {
    long horizonNs = nowNs - intensity.window().toNanos();
    while (!restartsNs.isEmpty() && restartsNs.peekFirst() - horizonNs <= 0) {
      restartsNs.removeFirst();
    }
  }

  /** Returns the limit, and how many restarts count at that time. */
  public synchronized RestartBudget budget(long nowNs) {
    forgetOld(nowNs);
    return new RestartBudget(intensity.restarts(), intensity.window(), restartsNs.size());
  }

  /** Changes the limit, also for the restarts that count now. */
  synchronized void limit(Intensity next) {
    intensity = next;
  }

  synchronized void clear() {
    restartsNs.clear();
  }

  synchronized String limit() {
    return "more than %d restarts within %s".formatted(intensity.restarts(), intensity.window());
  }
}
