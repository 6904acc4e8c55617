package io.callboard.jobs.internal.protocol;

import io.callboard.ActorRef;
import io.callboard.jobs.model.JobEnded;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.RetryPolicy;
import io.callboard.jobs.model.RunOutput;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Commands of the actor of one job. */
public sealed interface JobCommand {
  /**
   * Creates the job; answered with the job, also if it exists already.
   *
   * @param id id of the job
   * @param spec its specification
   * @param at time of the submission
   * @param keyed whether an idempotency key names the job; null from an older node, for unknown
   * @param listener durable actor that the new job tells of each end; null for none. An existing
   *     job keeps its own
   */
  record Submit(
      String id,
      JobSpec spec,
      Instant at,
      @Nullable Boolean keyed,
      @Nullable ActorRef<JobEnded> listener)
      implements JobCommand {
    /** Creates a submission without a listener of the job's end. */
    public Submit(String id, JobSpec spec, Instant at, @Nullable Boolean keyed) {
      this(id, spec, at, keyed, null);
    }

    /** Creates a submission for which it is not known whether it has an idempotency key. */
    public Submit(String id, JobSpec spec, Instant at) {
      this(id, spec, at, null, null);
    }
  }

  /** Asks for the job; answered with it. */
  record Look() implements JobCommand {}

  /**
   * Grant of a slot, for which a handle is durable.
   *
   * @param runId number of the run
   * @param host name of the host
   * @param boot boot id of the host
   * @param epoch fencing token of the run
   * @param at time of the grant
   * @param retry retry policy of the type, for a job that names none; null from an older gate
   * @param term term of the host, which is passed on to it; null from an older gate
   * @param handler name of the handler of the type; null for a process
   */
  record Granted(
      int runId,
      String host,
      String boot,
      long epoch,
      Instant at,
      @Nullable RetryPolicy retry,
      @Nullable Integer term,
      @Nullable String handler)
      implements JobCommand {
    /** Creates the grant of a process. */
    public Granted(
        int runId,
        String host,
        String boot,
        long epoch,
        Instant at,
        @Nullable RetryPolicy retry,
        @Nullable Integer term) {
      this(runId, host, boot, epoch, at, retry, term, null);
    }
  }

  /**
   * Report of the host that the run started.
   *
   * @param runId number of the run
   * @param at its start
   */
  record Started(int runId, Instant at) implements JobCommand {}

  /**
   * Report of the host that the run ended, or could not be started.
   *
   * @param runId number of the run
   * @param exitCode exit code of the command; of a handler 0 if it succeeded
   * @param error reason, where more is known than the code
   * @param retryable false if another attempt must end the same
   * @param at its end
   * @param output what it left; null for nothing, and from an older node
   * @param retryAfter pause before the next attempt, by a rule of the handler; null for that of the
   *     retry policy
   * @param unreadable whether it did not begin, since the handler of this host cannot read its
   *     arguments; null for no, and from an older node. An older job takes it for a failed attempt
   */
  record Ended(
      int runId,
      int exitCode,
      @Nullable String error,
      boolean retryable,
      Instant at,
      @Nullable RunOutput output,
      @Nullable Duration retryAfter,
      @Nullable Boolean unreadable)
      implements JobCommand {
    /** Creates the report of a run that left nothing. */
    public Ended(int runId, int exitCode, @Nullable String error, boolean retryable, Instant at) {
      this(runId, exitCode, error, retryable, at, null, null, null);
    }

    /** Creates the report of a run that began. */
    public Ended(
        int runId,
        int exitCode,
        @Nullable String error,
        boolean retryable,
        Instant at,
        @Nullable RunOutput output,
        @Nullable Duration retryAfter) {
      this(runId, exitCode, error, retryable, at, output, retryAfter, null);
    }

    /** Creates the report of a run whose next attempt is due by the retry policy. */
    public Ended(
        int runId,
        int exitCode,
        @Nullable String error,
        boolean retryable,
        Instant at,
        @Nullable RunOutput output) {
      this(runId, exitCode, error, retryable, at, output, null, null);
    }
  }

  /**
   * Report of the host that it could not start the run, for no fault of the job's.
   *
   * @param runId number of the run
   * @param why reason, for people
   * @param at time of the attempt
   */
  record NotStarted(int runId, String why, Instant at) implements JobCommand {}

  /**
   * Report that the run does not exist on its host any more, with an unknown outcome.
   *
   * @param runId number of the run
   * @param why reason, for people
   * @param at time of the loss
   * @param withNode whether the node died with it, perhaps because of it; null if that is unknown
   * @param output what it left; null for nothing, if that is unknown, and from an older node
   */
  record Lost(
      int runId, String why, Instant at, @Nullable Boolean withNode, @Nullable RunOutput output)
      implements JobCommand {
    /** Creates the report of a run about which nothing is known. */
    public Lost(int runId, String why, Instant at, @Nullable Boolean withNode) {
      this(runId, why, at, withNode, null);
    }
  }

  /**
   * Report of the gate that the host of the run is silent; its slot stays taken.
   *
   * @param runId number of the run
   * @param why reason, for people
   */
  record Silent(int runId, String why) implements JobCommand {}

  /**
   * Report of the gate that the host of a run that was silent reports the run again.
   *
   * @param runId number of the run
   */
  record Heard(int runId) implements JobCommand {}

  /**
   * Report of the host that the run has made no progress within its progress timeout.
   *
   * @param runId number of the run
   * @param since its last progress
   */
  record Stalled(int runId, Instant since) implements JobCommand {}

  /**
   * Report of the host that the run makes progress, also if it was stalled before.
   *
   * @param runId number of the run
   * @param text the progress, for people; null if only that it makes some is known
   * @param at when the host saw it; null without a text
   */
  record Progressed(int runId, @Nullable String text, @Nullable Instant at) implements JobCommand {}

  /**
   * Report of the host about files that the run has written until now: a new checkpoint, or a file
   * that is not kept.
   *
   * @param runId number of the run
   * @param output what is new
   * @param at when the host saw it
   */
  record Wrote(int runId, RunOutput output, Instant at) implements JobCommand {}

  /**
   * Report of the gate with the answer of the run's host to the question how the run is.
   *
   * @param runId number of the run
   * @param look the answer
   * @param at when it came to the gate
   */
  record Inspected(int runId, RunLook look, Instant at) implements JobCommand {}

  /**
   * Report of the host that processes of the run are left after SIGKILL, or that its handler has
   * not returned; it goes on killing or interrupting them.
   *
   * @param runId number of the run
   * @param pids their process ids; empty for a handler
   * @param at time of the look
   * @param stack where the thread of the handler is; null for processes, and from an older node
   */
  record KillFailed(int runId, List<Long> pids, Instant at, @Nullable String stack)
      implements JobCommand {
    /** Copies the list. */
    public KillFailed {
      pids = List.copyOf(pids);
    }

    /** Creates the report of processes. */
    public KillFailed(int runId, List<Long> pids, Instant at) {
      this(runId, pids, at, null);
    }
  }

  /**
   * Report of the gate that the run waited longer than its queue timeout, or in vain for a host
   * that can read its arguments.
   *
   * @param runId number of the run
   * @param at time of the expiry
   * @param unreadable whether it waited for such a host; null for no, and from an older gate. An
   *     older job expires
   */
  record Expired(int runId, Instant at, @Nullable Boolean unreadable) implements JobCommand {
    /** Creates the report of the queue timeout. */
    public Expired(int runId, Instant at) {
      this(runId, at, null);
    }
  }

  /**
   * Cancels the job; answered with it.
   *
   * @param at time of the request
   */
  record Cancel(Instant at) implements JobCommand {}

  /**
   * Runs the job again; answered with it.
   *
   * @param at time of the request
   */
  record Rerun(Instant at) implements JobCommand {}

  /**
   * Holds the job; answered with it.
   *
   * @param at time of the request
   */
  record Hold(Instant at) implements JobCommand {}

  /**
   * Releases the job; answered with it.
   *
   * @param at time of the request
   */
  record Release(Instant at) implements JobCommand {}

  /**
   * Deletes the job, which must have ended; answered with the job as it was.
   *
   * @param at time of the request
   * @param hasRow whether a database may have a row of it; null from an older node, for no
   */
  record Delete(Instant at, @Nullable Boolean hasRow) implements JobCommand {
    /** Creates a request about a job that no database has. */
    public Delete(Instant at) {
      this(at, null);
    }
  }

  /**
   * Runs a job again whose record was removed; answered with the job.
   *
   * @param job the job as it was
   * @param at time of the request
   */
  record Restore(JobData job, Instant at) implements JobCommand {}

  /**
   * Deletes a job whose record was removed; answered with the job. What stays is the tombstone of a
   * deleted job.
   *
   * @param job the job as it was
   * @param at time of the request
   */
  record DeleteArchived(JobData job, Instant at) implements JobCommand {}

  /**
   * Report of the archivist that the record of the job may be removed, if the job has ended and is
   * still of that version.
   *
   * @param version version of the job that is meant
   */
  record LetGo(long version) implements JobCommand {}

  /**
   * Report of a host that it holds no files of a deleted job any more.
   *
   * @param host name of the host
   */
  record Freed(String host) implements JobCommand {}

  /** Report of the archiver that the database has no row of a deleted job any more. */
  record RowGone() implements JobCommand {}

  /** Removes the expired tombstone of a deleted job. */
  record Forget() implements JobCommand {}

  /** Reminder of the job to itself to check whether a cancelled run is gone. */
  record StillThere() implements JobCommand {}

  /**
   * Reminder of the job to itself that its total timeout has passed; repeated while a run of it is
   * not gone.
   */
  record TotalOver() implements JobCommand {}
}
