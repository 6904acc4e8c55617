package io.callboard.jobs.internal.index;

import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.TroubledRun;
import io.callboard.jobs.model.TroubledRuns;
import io.callboard.time.Machine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

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
 * @param killFailed runs of these jobs that are not gone after a kill, by host; null from an older
 *     node
 * @param troubled the first of those and of the runs that make no progress, {@value
 *     TroubledRuns#MOST_OF_KIND} of each kind at most; null from an older node
 * @param notGone runs of any jobs that the node's host knows not to be gone after a kill, by host;
 *     null for none, and from an older node
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
    long changes,
    @Nullable Map<String, Long> killFailed,
    @Nullable List<TroubledRun> troubled,
    @Nullable Map<String, Long> notGone) {
  /** Creates the counts of a node whose host has no run that a kill has not ended. */
  IndexTally(
      String node,
      String boot,
      Map<String, Map<JobState, Long>> byType,
      int deleted,
      long runsStarted,
      long runsEnded,
      long jobsEnded,
      Map<Integer, Long> epochs,
      long changes,
      @Nullable Map<String, Long> killFailed,
      @Nullable List<TroubledRun> troubled) {
    this(
        node,
        boot,
        byType,
        deleted,
        runsStarted,
        runsEnded,
        jobsEnded,
        epochs,
        changes,
        killFailed,
        troubled,
        null);
  }

  /**
   * Returns whether later epochs of all its partitions have begun: the node is dead, or will
   * publish other counts.
   *
   * @param newest the newest epochs that are known
   */
  boolean isReplaced(Map<Integer, Long> newest) {
    return !epochs.isEmpty()
        && epochs.entrySet().stream()
            .allMatch(each -> newest.getOrDefault(each.getKey(), 0L) > each.getValue());
  }

  /** Returns the counts with the runs that, as the node's host knows, a kill has not ended. */
  IndexTally with(List<TroubledRun> known) {
    if (known.isEmpty()) {
      return this;
    }
    Map<String, Long> byHost = new TreeMap<>();
    known.forEach(run -> byHost.merge(run.host(), 1L, Long::sum));
    List<TroubledRun> ofJobs = troubled == null ? List.of() : troubled;
    List<TroubledRun> named = new ArrayList<>(ofJobs);
    known.stream()
        .filter(run -> ofJobs.stream().noneMatch(each -> isSame(each, run)))
        .forEach(named::add);
    return new IndexTally(
        node,
        boot,
        byType,
        deleted,
        runsStarted,
        runsEnded,
        jobsEnded,
        epochs,
        changes,
        killFailed,
        TroubledRuns.firstOf(named),
        byHost);
  }

  private static boolean isSame(TroubledRun one, TroubledRun other) {
    return one.kind() == other.kind()
        && one.job().equals(other.job())
        && one.runId() == other.runId();
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
