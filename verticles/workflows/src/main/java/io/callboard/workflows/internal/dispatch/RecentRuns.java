package io.callboard.workflows.internal.dispatch;

import io.callboard.workflows.internal.protocol.StepRunKey;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The last run that is over of each of the last steps, so that a late request for it, or for an
 * earlier run of its step, is not taken for a new one.
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
