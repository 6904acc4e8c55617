package io.callboard.jobs.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Notice that a job has ended, which its actor tells the ref that was given with the submission:
 * once per end, in the turn in which the job ends, and once more for each rerun that ends.
 *
 * @param job id of the job
 * @param uniqueKey its unique key; null for none
 * @param state terminal state in which it is
 * @param at time of the end
 * @param runId number of its last run; null if it never ran
 * @param exitCode exit code of that run; null if it has none, because it was lost or never started
 * @param result result that the run wrote, JSON or text; null for none
 * @param error why it is DEAD, in words; null unless it is
 * @param lacksResult why the result that the run wrote is not here, in words: it is JSON beyond the
 *     limits of what a message can hold, or its file is too large or none; null if nothing is
 *     missing
 * @param forGood whether its last run failed such that another attempt must end the same; null for
 *     no
 */
public record JobEnded(
    String job,
    @Nullable String uniqueKey,
    JobState state,
    Instant at,
    @Nullable Integer runId,
    @Nullable Integer exitCode,
    @Nullable JsonNode result,
    @Nullable String error,
    @Nullable String lacksResult,
    @Nullable Boolean forGood) {
  /** Returns the notice for whoever knows the job by that key. */
  public JobEnded withKey(String key) {
    return new JobEnded(job, key, state, at, runId, exitCode, result, error, lacksResult, forGood);
  }
}
