package io.callboard.supervision;

import java.util.ArrayDeque;
import java.util.Deque;

/** The restarts of late, as an {@link Intensity} counts them. Not thread-safe. */
final class Window {
  private Intensity intensity;
  private final Deque<Long> restartsNs = new ArrayDeque<>(0);

  Window(Intensity intensity) {
    this.intensity = intensity;
  }

  /** Counts one more, unless that is over the limit; whether it was not. */
  boolean allows(long nowNs) {
    long horizonNs = nowNs - intensity.window().toNanos();
    while (!restartsNs.isEmpty() && restartsNs.peekFirst() - horizonNs <= 0) {
      restartsNs.removeFirst();
    }
    if (restartsNs.size() >= intensity.restarts()) {
      return false;
    }
    restartsNs.addLast(nowNs);
    return true;
  }

  /** From now on that is the limit, for those that count now, too. */
  void limit(Intensity next) {
    intensity = next;
  }

  void clear() {
    restartsNs.clear();
  }

  String limit() {
    return "more than %d restarts within %s".formatted(intensity.restarts(), intensity.window());
  }
}
