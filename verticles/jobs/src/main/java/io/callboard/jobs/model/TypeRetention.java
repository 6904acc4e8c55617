package io.callboard.jobs.model;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Retention of ended jobs of a type, where it differs from the {@link JobRetention} of the nodes.
 *
 * @param successes time for which jobs that succeeded are kept; null for that of the nodes
 * @param failures time for which jobs that ended otherwise are kept; null for that of the nodes
 * @param files time for which hosts keep the directories of runs whose job has no record any more,
 *     counted from their last change; null for that of the nodes
 * @param logs time for which hosts keep the logs of runs that have ended; null for that of the
 *     nodes
 */
public record TypeRetention(
    @Nullable Duration successes,
    @Nullable Duration failures,
    @Nullable Duration files,
    @Nullable Duration logs) {

  /** Returns the time for which jobs that ended in that state are kept; null for the nodes'. */
  public @Nullable Duration jobs(JobState state) {
    return state == JobState.SUCCEEDED ? successes : failures;
  }
}
