package io.callboard.pollers.internal.file;

import io.callboard.time.Time;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Observer of the leases of taken files: finds those that no client has extended for as long as
 * they last, by the monotonic clock of this client alone. Not thread-safe.
 */
final class SpoolLeases {
  private final Time time;

  /** When each name was first seen. */
  private Map<TakenName, Long> since = new HashMap<>();

  SpoolLeases(Time time) {
    this.time = time;
  }

  /**
   * Processes the present names of taken files.
   *
   * @return those whose lease is over
   */
  List<TakenName> over(Collection<TakenName> names) {
    long nowNanos = time.nanoTime();
    Map<TakenName, Long> next = new HashMap<>();
    List<TakenName> over = new ArrayList<>();
    for (TakenName name : names) {
      long seenNanos = since.getOrDefault(name, nowNanos);
      next.put(name, seenNanos);
      if (nowNanos - seenNanos >= name.lease().toNanos()) {
        over.add(name);
      }
    }
    since = next;
    return over;
  }
}
