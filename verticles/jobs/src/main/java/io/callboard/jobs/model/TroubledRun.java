package io.callboard.jobs.model;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Run that makes no progress, or that a kill has not ended.
 *
 * @param kind what is wrong with it
 * @param job id of its job
 * @param type name of the type of that; empty if only its host knows of it
 * @param runId its number within the job
 * @param host name of the node that runs it
 * @param since its last progress, or the first look that found processes after the kill; by the
 *     clock of its host
 * @param pids process ids that are left after the kill, at most {@value #MOST_PIDS}; empty if it
 *     only makes no progress
 * @param earlier whether an earlier boot of its host began it: it has no slot any more, and its job
 *     may have the next run; null for no, and from an older node
 */
public record TroubledRun(
    Kind kind,
    String job,
    String type,
    int runId,
    String host,
    Instant since,
    List<Long> pids,
    @Nullable Boolean earlier) {
  /** Maximum number of process ids. */
  public static final int MOST_PIDS = 5;

  /** Order by time, the oldest first. */
  public static final Comparator<TroubledRun> OLDEST_FIRST =
      Comparator.comparing(TroubledRun::since).thenComparing(TroubledRun::job);

  /** Bounds the list. */
  public TroubledRun {
    pids = List.copyOf(pids.subList(0, Math.min(MOST_PIDS, pids.size())));
  }

  /** Creates a run of the present boot of its host. */
  public TroubledRun(
      Kind kind, String job, String type, int runId, String host, Instant since, List<Long> pids) {
    this(kind, job, type, runId, host, since, pids, null);
  }

  /** Returns whether the run was begun by an earlier boot of its host. */
  public boolean isEarlier() {
    return Boolean.TRUE.equals(earlier);
  }

  /** Kind of a run's trouble. */
  public enum Kind {
    /**
     * Trouble of a run that is alive and makes no progress within the progress timeout of its job.
     */
    STALLED,
    /** Processes of it are left after SIGKILL. */
    KILL_FAILED
  }
}
