package io.callboard.jobs;

import io.callboard.jobs.model.JobException;
import io.callboard.jobs.model.LabelLimit;
import io.vertx.core.Future;
import java.util.List;

/**
 * Limits over all jobs that have a label. A label is {@code key=value}, or {@code key} for any
 * value. Futures fail with {@link JobException}.
 */
public final class LabelLimits {
  private final GateClient gate;

  LabelLimits(GateClient gate) {
    this.gate = gate;
  }

  /** Returns all limits, with the number of runs that each counts. */
  public Future<List<LabelLimit>> all() {
    return gate.limits();
  }

  /**
   * Limits the runs of all jobs that have a label; completes with all limits. A lower limit kills
   * no runs; it takes effect as they end.
   */
  public Future<List<LabelLimit>> put(String label, int running) {
    return gate.putLimit(label, running);
  }

  /** Removes the limit of a label, if there is one; completes with all limits. */
  public Future<List<LabelLimit>> remove(String label) {
    return gate.putLimit(label, null);
  }
}
