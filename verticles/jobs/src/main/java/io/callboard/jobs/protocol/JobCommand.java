package io.callboard.jobs.protocol;

import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.RetryPolicy;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Commands of the actor of one job. */
public sealed interface JobCommand {
  /** Create the job; answered with the job, also if it is there already. */
  record Submit(String id, JobSpec spec, Instant at) implements JobCommand {}

  /** Answered with the job. */
  record Look() implements JobCommand {}

  /**
   * The gate granted a slot: a handle is durable.
   *
   * @param retry of its type, for a job that asks for none of its own; null from an older gate
   * @param term of the host, to be told to it; null from an older gate
   */
  record Granted(
      int runId,
      String host,
      String boot,
      long epoch,
      Instant at,
      @Nullable RetryPolicy retry,
      @Nullable Integer term)
      implements JobCommand {}

  /** The host started the process. */
  record Started(int runId, Instant at) implements JobCommand {}

  /**
   * The run ended, or could not be started.
   *
   * @param error why, where more is known than the code
   * @param retryable false where another attempt must end the same
   */
  record Ended(int runId, int exitCode, @Nullable String error, boolean retryable, Instant at)
      implements JobCommand {}

  /** Its host could not start the run, which is no fault of the job's. */
  record NotStarted(int runId, String why, Instant at) implements JobCommand {}

  /**
   * No such run exists on its host any more, and how it ended is unknown.
   *
   * @param withNode whether the node died with it, perhaps of it; null if that is unknown
   */
  record Lost(int runId, String why, Instant at, @Nullable Boolean withNode)
      implements JobCommand {}

  /** It waited longer than its queue timeout. */
  record Expired(int runId, Instant at) implements JobCommand {}

  /** Answered with the job. */
  record Cancel(Instant at) implements JobCommand {}

  /** Answered with the job. */
  record Rerun(Instant at) implements JobCommand {}

  /** Answered with the job. */
  record Hold(Instant at) implements JobCommand {}

  /** Answered with the job. */
  record Release(Instant at) implements JobCommand {}

  /** Delete the job, which must have ended; answered with the job as it was. */
  record Delete(Instant at) implements JobCommand {}

  /** That host holds nothing of a deleted job any more. */
  record Freed(String host) implements JobCommand {}

  /** The tombstone of a deleted job has expired. */
  record Forget() implements JobCommand {}

  /** To itself: is a cancelled run gone? */
  record StillThere() implements JobCommand {}

  /** To itself: its total timeout has passed; again while a run of it is not gone. */
  record TotalOver() implements JobCommand {}
}
