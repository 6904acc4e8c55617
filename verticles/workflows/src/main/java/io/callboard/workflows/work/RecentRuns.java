package io.callboard.workflows.work;

import io.callboard.workflows.protocol.StepRunKey;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The last runs that are over, so that a late request for one of them is not taken for a new one.
 */
final class RecentRuns {
  private final Set<StepRunKey> keys = new LinkedHashSet<>();
  private final int most;

  /**
   * Creates an empty memory.
   *
   * @param most maximum number of runs; older ones are forgotten
   */
  RecentRuns(int most) {
    this.most = most;
  }

  /** Adds a run; the oldest one is forgotten if there are too many. */
  void add(StepRunKey key) {
    if (keys.add(key) && keys.size() > most) {
      Iterator<StepRunKey> oldest = keys.iterator();
      oldest.next();
      oldest.remove();
    }
  }

  /** Returns whether a run is remembered. */
  boolean contains(StepRunKey key) {
    return keys.contains(key);
  }
}
