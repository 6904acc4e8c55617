package io.callboard.jobs.model;

import io.callboard.time.Machine;
import java.time.Duration;

/**
 * Aging of waiting runs of jobs and steps: the effective priority rises by one for each {@link
 * #STEP} of waiting, up to the highest. So a run of priority p is among the highest after at most
 * (9 − p) × {@link #STEP}, then it is first come, first served.
 */
@Machine
public final class PriorityAging {
  /** Waiting time that raises the priority by one. */
  public static final Duration STEP = Duration.ofMinutes(1);

  private PriorityAging() {}

  /**
   * Returns the effective priority.
   *
   * @param priority 0 to 9, as given
   * @param waited how long it has waited; less than none counts as none
   */
  public static int effective(int priority, Duration waited) {
    return (int)
        Math.min(
            JobSpec.MOST_PRIORITY, priority + Math.max(0, waited.toMillis()) / STEP.toMillis());
  }
}
