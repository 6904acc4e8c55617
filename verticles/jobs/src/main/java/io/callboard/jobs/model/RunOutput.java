package io.callboard.jobs.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Output of a run, beside its exit code.
 *
 * @param progress last progress, for people; null if it reported none
 * @param checkpoint last checkpoint; null if it wrote none
 * @param result its result; null if it wrote none, or did not succeed
 * @param logEnd end of its log; null if it wrote none
 * @param refused why files of it are not kept, a sentence each
 * @param lacksResult which of these is about the result; null for none, also from an earlier
 *     version
 */
public record RunOutput(
    @Nullable String progress,
    @Nullable FileContent checkpoint,
    @Nullable FileContent result,
    @Nullable FileContent logEnd,
    List<String> refused,
    @Nullable String lacksResult) {
  /** Output of a run that left nothing. */
  public static final RunOutput NONE = new RunOutput(null, null, null, null, List.of());

  /** Copies the list. */
  public RunOutput {
    refused = List.copyOf(refused);
  }

  /** Creates the output of a run whose result was not refused. */
  public RunOutput(
      @Nullable String progress,
      @Nullable FileContent checkpoint,
      @Nullable FileContent result,
      @Nullable FileContent logEnd,
      List<String> refused) {
    this(progress, checkpoint, result, logEnd, refused, null);
  }

  /** Returns the output without a checkpoint that is known already. */
  public RunOutput withoutCheckpoint(@Nullable FileContent known) {
    return known != null && known.equals(checkpoint)
        ? new RunOutput(progress, null, result, logEnd, refused, lacksResult)
        : this;
  }

  /** Returns whether the run left nothing. */
  public boolean leavesNothing() {
    return equals(NONE);
  }
}
