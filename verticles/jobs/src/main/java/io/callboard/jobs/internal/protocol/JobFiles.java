package io.callboard.jobs.internal.protocol;

import io.callboard.jobs.model.FileContent;
import io.callboard.jobs.model.RunOutput;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Contents that the runs of a job left, kept with the job: at most {@code 64} KiB of a checkpoint
 * and of a result, and the ends of the last logs. Immutable.
 *
 * @param checkpoint last checkpoint, for the next run; null for none
 * @param checkpointAt when it was reported; null without one
 * @param result result of the run that succeeded; null for none
 * @param logEnds ends of the logs of the last {@value #MOST_LOG_ENDS} runs that wrote one
 * @param lacksResult why the result of the run that succeeded is not here; null if it is, if there
 *     was none, and from an earlier version
 */
public record JobFiles(
    @Nullable FileContent checkpoint,
    @Nullable Instant checkpointAt,
    @Nullable FileContent result,
    List<LogEnd> logEnds,
    @Nullable String lacksResult) {
  /** Maximum number of logs of which the end is kept. */
  public static final int MOST_LOG_ENDS = 10;

  /** Files of a job without any. */
  static final JobFiles NONE = new JobFiles(null, null, null, List.of(), null);

  /**
   * End of the log of a run.
   *
   * @param runId number of the run
   * @param end last bytes of its log
   */
  public record LogEnd(int runId, FileContent end) {}

  /** Copies the list. */
  public JobFiles {
    logEnds = List.copyOf(logEnds);
  }

  /**
   * Returns the files after a run has written some. Success ends the use of the checkpoint: a rerun
   * of the job starts anew.
   */
  JobFiles after(int runId, RunOutput output, boolean succeeded, Instant at) {
    FileContent end = output.logEnd();
    List<LogEnd> kept = end == null ? logEnds : withLogEnd(runId, end).logEnds;
    if (succeeded) {
      return new JobFiles(null, null, output.result(), kept, output.lacksResult());
    }
    return output.checkpoint() == null
        ? new JobFiles(checkpoint, checkpointAt, result, kept, lacksResult)
        : new JobFiles(output.checkpoint(), at, result, kept, lacksResult);
  }

  /** Returns the files without a result, for a job that runs again. */
  JobFiles again() {
    return new JobFiles(checkpoint, checkpointAt, null, logEnds, null);
  }

  /** Returns the files with the end of the log of a run, if that is one of the last. */
  JobFiles withLogEnd(int runId, FileContent end) {
    List<LogEnd> ends = new ArrayList<>(logEnds);
    ends.removeIf(each -> each.runId() == runId);
    ends.add(new LogEnd(runId, end));
    ends.sort(Comparator.comparingInt(LogEnd::runId));
    List<LogEnd> kept = ends.subList(Math.max(0, ends.size() - MOST_LOG_ENDS), ends.size());
    return new JobFiles(checkpoint, checkpointAt, result, kept, lacksResult);
  }

  /** Returns the end of the log of a run, as text; empty if none is kept. */
  Optional<String> logEnd(int runId) {
    return logEnds.stream()
        .filter(each -> each.runId() == runId)
        .map(each -> each.end().text())
        .findFirst();
  }
}
