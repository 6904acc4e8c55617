package io.callboard.jobs.internal.protocol;

import java.util.List;

/** Events of a backlog. */
public sealed interface BacklogEvent {
  /**
   * A run is kept.
   *
   * @param job id of the job
   * @param waiting the run
   */
  record Kept(String job, WaitingRun waiting) implements BacklogEvent {}

  /**
   * Runs have left the backlog: to the gate, withdrawn, or expired.
   *
   * @param jobs ids of the jobs
   */
  record Left(List<String> jobs) implements BacklogEvent {}
}
