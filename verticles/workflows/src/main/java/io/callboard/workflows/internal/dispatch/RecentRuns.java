package io.callboard.workflows.internal.dispatch;

import io.callboard.workflows.internal.protocol.StepRunKey;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Newest finished run of each recent step, by which late repeated requests for it or for earlier
 * runs are recognised.
 */
final class RecentRuns {
  private final Map<Step, Integer> lastRuns = new LinkedHashMap<>();
  private final int most;

  private record Step(String instance, String step) {
    static Step of(StepRunKey key) {
      return new Step(key.instance(), key.step());
    }
  }

  /**
   * Creates an empty memory.
   *
   * @param most maximum number of steps; those of which nothing was over for longest are forgotten
   */
  RecentRuns(int most) {
    this.most = most;
  }

  /** Adds a run, and with it all earlier ones of its step. */
  void add(StepRunKey key) {
    Step step = Step.of(key);
    Integer before = lastRuns.remove(step); // it is the youngest from now on
    lastRuns.put(step, before == null ? key.run() : Math.max(before, key.run()));
    if (lastRuns.size() > most) {
      Iterator<Step> oldest = lastRuns.keySet().iterator();
      oldest.next();
      oldest.remove();
    }
  }

  /** Returns whether a run, or a later one of its step, is remembered. */
  boolean contains(StepRunKey key) {
    Integer last = lastRuns.get(Step.of(key));
    return last != null && last >= key.run();
  }
}
