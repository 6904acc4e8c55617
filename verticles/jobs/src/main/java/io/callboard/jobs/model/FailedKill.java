package io.callboard.jobs.model;

import java.time.Instant;
import java.util.List;

/**
 * Kill of a run that left processes, which are killed again until none is left.
 *
 * @param runId number of the run
 * @param pids process ids that are left, on the host of the run
 * @param at time of the first such look, by the host's clock
 */
public record FailedKill(int runId, List<Long> pids, Instant at) {
  /** Copies the list. */
  public FailedKill {
    pids = List.copyOf(pids);
  }
}
