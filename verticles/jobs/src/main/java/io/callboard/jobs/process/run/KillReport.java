package io.callboard.jobs.process.run;

import java.util.List;

/**
 * Result of a kill.
 *
 * @param survivors pids still there; only for {@link Outcome#KILL_FAILED}
 */
public record KillReport(RunKey key, Outcome outcome, List<Long> survivors) {

  /** How it went. */
  public enum Outcome {
    /** This node has no such run. */
    NOT_RUNNING,
    /** The command ended within the grace; no process of the run is left. */
    TERMINATED,
    /** SIGKILL was needed; no process of the run is left. */
    KILLED,
    /** Processes of the run are still there, for instance in an uninterruptible wait for a disk. */
    KILL_FAILED
  }

  public KillReport {
    survivors = List.copyOf(survivors);
  }
}
