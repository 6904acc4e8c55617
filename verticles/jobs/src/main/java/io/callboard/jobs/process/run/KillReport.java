package io.callboard.jobs.process.run;

import java.util.List;

/**
 * Result of a kill.
 *
 * @param key name of the run
 * @param outcome how the kill went
 * @param survivors pids still there; only for {@link Outcome#KILL_FAILED}
 */
public record KillReport(RunKey key, Outcome outcome, List<Long> survivors) {

  /** Outcome of a kill. */
  public enum Outcome {
    /** Run that this node does not have. */
    NOT_RUNNING,
    /** Command ended within the grace; no process of the run is left. */
    TERMINATED,
    /** SIGKILL was needed; no process of the run is left. */
    KILLED,
    /** Processes of the run are still there, for instance in an uninterruptible wait for a disk. */
    KILL_FAILED
  }

  /** Copies the list. */
  public KillReport {
    survivors = List.copyOf(survivors);
  }
}
