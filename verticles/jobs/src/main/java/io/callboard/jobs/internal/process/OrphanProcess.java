package io.callboard.jobs.internal.process;

import io.callboard.jobs.internal.runner.RunKey;
import java.util.Optional;

/**
 * Process marked with this home and another boot of the node.
 *
 * @param pid process id
 * @param jobId id of the job, from its environment; empty if that lacks it
 * @param runId number of the run, likewise
 * @param bootId boot id of the node that started it
 */
public record OrphanProcess(long pid, String jobId, String runId, String bootId) {
  /** Returns the run of the process; empty if its environment does not name one. */
  public Optional<RunKey> run() {
    try {
      return Optional.of(new RunKey(jobId, Integer.parseInt(runId)));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
