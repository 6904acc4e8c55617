package io.callboard.jobs.model;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Runs of a cell that make no progress, or that a kill has not ended.
 *
 * @param stalled numbers of jobs whose run makes no progress, by the names of their types
 * @param killFailed numbers of runs that are not gone after a kill, by the names of their hosts
 * @param first the first of them by time, at most {@value #MOST_OF_KIND} of each kind
 * @param olderNodes names of nodes of older versions, which report only numbers of jobs by state
 */
public record TroubledRuns(
    Map<String, Long> stalled,
    Map<String, Long> killFailed,
    List<TroubledRun> first,
    List<String> olderNodes) {
  /** Maximum number of runs of a kind that are named. */
  public static final int MOST_OF_KIND = 20;

  /** No runs. */
  public static final TroubledRuns NONE =
      new TroubledRuns(Map.of(), Map.of(), List.of(), List.of());

  /** Copies the collections. */
  public TroubledRuns {
    stalled = Map.copyOf(stalled);
    killFailed = Map.copyOf(killFailed);
    first = List.copyOf(first);
    olderNodes = List.copyOf(olderNodes);
  }

  /** Returns the first of some runs by time, at most {@value #MOST_OF_KIND} of each kind. */
  public static List<TroubledRun> firstOf(List<TroubledRun> runs) {
    return Arrays.stream(TroubledRun.Kind.values())
        .flatMap(
            kind ->
                runs.stream()
                    .filter(run -> run.kind() == kind)
                    .distinct() // a partition that changes hands may be reported twice
                    .sorted(TroubledRun.OLDEST_FIRST)
                    .limit(MOST_OF_KIND))
        .toList();
  }
}
