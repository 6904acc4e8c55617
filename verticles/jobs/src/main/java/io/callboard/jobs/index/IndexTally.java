package io.callboard.jobs.index;

import io.callboard.jobs.model.JobState;
import io.callboard.time.Machine;
import java.util.Map;

/**
 * Counts that a node publishes of the jobs in its partitions.
 *
 * @param node name of the node
 * @param boot its boot id
 * @param byType jobs by type and state
 * @param deleted deleted jobs of which a tombstone is kept
 * @param runsStarted runs of these jobs that started since the node did
 * @param runsEnded runs that ended
 * @param jobsEnded jobs that ended
 * @param epochs the partitions that are counted, with the epochs in which the node owns them
 * @param changes grows with each change of what the node's index holds
 */
@Machine
public record IndexTally(
    String node,
    String boot,
    Map<String, Map<JobState, Long>> byType,
    int deleted,
    long runsStarted,
    long runsEnded,
    long jobsEnded,
    Map<Integer, Long> epochs,
    long changes) {
  /**
   * Returns whether all of its partitions are owned in later epochs by now: its node is dead, or
   * will publish others.
   *
   * @param newest the newest epochs that are known
   */
  boolean isReplaced(Map<Integer, Long> newest) {
    return !epochs.isEmpty()
        && epochs.entrySet().stream()
            .allMatch(each -> newest.getOrDefault(each.getKey(), 0L) > each.getValue());
  }

  /** Returns the number of jobs that wait for a run. */
  long waiting() {
    return byType.values().stream()
        .flatMap(states -> states.entrySet().stream())
        .filter(each -> each.getKey().inQueue() || each.getKey() == JobState.BLOCKED)
        .mapToLong(Map.Entry::getValue)
        .sum();
  }
}
