package io.callboard.jobs.internal.runner;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Result of a kill.
 *
 * @param key name of the run
 * @param outcome how the kill went
 * @param survivors pids still there; only for {@link Outcome#KILL_FAILED} of processes
 * @param stack where the thread of a handler is; only for {@link Outcome#KILL_FAILED} of one
 */
public record KillReport(
    RunKey key, Outcome outcome, List<Long> survivors, @Nullable String stack) {

  /** Outcome of a kill. */
  public enum Outcome {
    /** Run that this node does not have. */
    NOT_RUNNING,
    /** Command ended within the grace; no process of the run is left. */
    TERMINATED,
    /** SIGKILL was needed; no process of the run is left. */
    KILLED,
    /**
     * Processes of the run are still there, for instance in an uninterruptible wait for a disk, or
     * its handler has not returned.
     */
    KILL_FAILED
  }

  /** Copies the list. */
  public KillReport {
    survivors = List.copyOf(survivors);
  }

  /** Returns the report that this node does not have the run. */
  public static KillReport notRunning(RunKey key) {
    return new KillReport(key, Outcome.NOT_RUNNING, List.of());
  }

  /** Creates the result of a kill of processes. */
  public KillReport(RunKey key, Outcome outcome, List<Long> survivors) {
    this(key, outcome, survivors, null);
  }
}
