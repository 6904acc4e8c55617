package io.callboard.jobs.model;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Kill of a run that left processes, which are killed again until none is left, or the thread of a
 * handler, which is interrupted again until it returns.
 *
 * @param runId number of the run
 * @param pids process ids that are left, on the host of the run; empty for a handler
 * @param at time of the first such look, by the host's clock
 * @param stack where the thread of a handler is; null for processes, and from an older node
 */
public record FailedKill(int runId, List<Long> pids, Instant at, @Nullable String stack) {
  /** Creates the kill of processes. */
  public FailedKill(int runId, List<Long> pids, Instant at) {
    this(runId, pids, at, null);
  }

  /** Copies the list. */
  public FailedKill {
    pids = List.copyOf(pids);
  }
}
