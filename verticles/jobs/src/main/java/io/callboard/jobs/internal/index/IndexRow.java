package io.callboard.jobs.internal.index;

import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobRun;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.TroubledRun;
import io.callboard.time.Machine;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Row of the index: the fields used by lists, counters and the archivist. Some 200 bytes with its
 * place in the index; immutable but for its mark.
 */
@Machine
final class IndexRow implements Comparable<IndexRow> {
  /** Value of {@link #endedNs} of a job that has not ended. */
  static final long NOT_ENDED = Long.MIN_VALUE;

  /** Value of {@link #dueNs} of a job of which it is not known when it became due. */
  static final long NOT_KNOWN = Long.MIN_VALUE;

  private static final int STARTED = 1;
  private static final int ENDED = 2;
  private static final long NANOS = 1_000_000_000L;
  private static final long MOST_SECONDS = Long.MAX_VALUE / NANOS;

  /** Order of the ends of jobs. */
  static final Comparator<IndexRow> OLDEST_END_FIRST =
      Comparator.<IndexRow>comparingLong(row -> row.endedNs).thenComparing(row -> row);

  final long high;
  final long low;
  final long version;
  final long createdNs;
  final long endedNs;

  /** When the last run was due, or the next will be. */
  final long dueNs;

  final String type;
  final JobState state;
  final byte[] text;

  /** Number of the last run, four times, with what is known of it. */
  private final int run;

  /** Troubles of the last run; hardly any row has something. */
  final List<TroubledRun> troubles;

  /** Mark of the archivist for this version. */
  Mark mark = Mark.NONE;

  /** Progress of the archivist with one version of a job. */
  enum Mark {
    /** Mark of a row of which nothing is known. */
    NONE,
    /** The database has the version, or it need not. */
    WRITTEN,
    /** The database refuses the version. */
    REFUSED
  }

  /**
   * Creates the row of a job.
   *
   * @param type the name of its type, one object for all rows
   * @param before its row until now; null if it had none
   * @param isNew whether it was submitted just now
   */
  IndexRow(JobId id, Job job, String type, @Nullable IndexRow before, boolean isNew) {
    this.high = id.high();
    this.low = id.low();
    this.version = job.version();
    this.createdNs = nanos(job.createdAt());
    Instant ended = job.endedAt();
    this.endedNs = ended == null ? NOT_ENDED : nanos(ended);
    this.dueNs = due(job, before, isNew);
    this.type = type;
    this.state = job.state();
    this.text = RowText.of(job);
    this.run = run(job.runs());
    this.troubles = RowTroubles.of(job);
  }

  /**
   * Creates a row that the former owner of its partition has handed over.
   *
   * @param type the name of its type, one object for all rows
   */
  IndexRow(JobId id, HandedRow handed, String type) {
    this.high = id.high();
    this.low = id.low();
    this.version = handed.version();
    this.createdNs = handed.createdNs();
    this.endedNs = handed.endedNs();
    this.dueNs = handed.dueNs();
    this.type = type;
    this.state = handed.state();
    this.text = RowText.sent(handed.text());
    this.run = handed.run();
    List<TroubledRun> wrong = handed.troubles();
    this.troubles = wrong == null ? List.of() : List.copyOf(wrong);
  }

  /** Creates a row of which only the id is known, for searches. */
  IndexRow(JobId id) {
    this.high = id.high();
    this.low = id.low();
    this.version = 0;
    this.createdNs = 0;
    this.endedNs = NOT_ENDED;
    this.dueNs = NOT_KNOWN;
    this.type = "";
    this.state = JobState.QUEUED;
    this.text = RowText.NONE;
    this.run = 0;
    this.troubles = List.of();
  }

  private static long due(Job job, @Nullable IndexRow before, boolean isNew) {
    Instant next = job.nextAttemptAt();
    if (next != null) {
      return nanos(next);
    }
    if (before == null) {
      return isNew ? nanos(job.createdAt()) : NOT_KNOWN;
    }
    boolean queuedAnew =
        job.state() == JobState.QUEUED && !before.waits() && before.state != JobState.ADMITTED;
    return queuedAnew ? NOT_KNOWN : before.dueNs;
  }

  private static int run(List<JobRun> runs) {
    if (runs.isEmpty()) {
      return 0;
    }
    JobRun last = runs.get(runs.size() - 1);
    return last.runId() << 2
        | (last.startedAt() == null ? 0 : STARTED)
        | (last.endedAt() == null ? 0 : ENDED);
  }

  /** Returns nanoseconds since 1970; the first or last ones there are for times beyond them. */
  static long nanos(Instant at) {
    long seconds = at.getEpochSecond();
    return seconds >= MOST_SECONDS
        ? Long.MAX_VALUE
        : seconds <= -MOST_SECONDS ? -Long.MAX_VALUE : seconds * NANOS + at.getNano();
  }

  /** Returns the row for the next owner of its partition; its mark stays here. */
  HandedRow handed() {
    return new HandedRow(
        id().text(),
        version,
        type,
        state,
        createdNs,
        endedNs,
        dueNs,
        run,
        RowText.sent(text),
        troubles.isEmpty() ? null : troubles);
  }

  /** Returns the id. */
  JobId id() {
    return new JobId(high, low);
  }

  /** Returns the time of the end; only for a job that has ended. */
  Instant endedAt() {
    return Instant.ofEpochSecond(Math.floorDiv(endedNs, NANOS), Math.floorMod(endedNs, NANOS));
  }

  /** Returns whether the job has ended. */
  boolean hasEnded() {
    return state.terminal() && endedNs != NOT_ENDED;
  }

  /** Returns whether the job has succeeded. */
  boolean isSuccess() {
    return state == JobState.SUCCEEDED;
  }

  /** Returns whether the job waits for a run. */
  boolean waits() {
    return state.inQueue() || state == JobState.BLOCKED;
  }

  /** Returns whether the last run has started since an earlier row of the job. */
  boolean hasStartedSince(@Nullable IndexRow before) {
    return is(STARTED) && !(before != null && isSameRun(before) && before.is(STARTED));
  }

  /** Returns whether the last run has ended since an earlier row of the job. */
  boolean hasEndedSince(@Nullable IndexRow before) {
    return is(ENDED) && !(before != null && isSameRun(before) && before.is(ENDED));
  }

  private boolean is(int flag) {
    return (run & flag) != 0;
  }

  private boolean isSameRun(IndexRow other) {
    return run >> 2 == other.run >> 2;
  }

  /** Compares ids, in the order of their texts. */
  @Override
  public int compareTo(IndexRow other) {
    int byHigh = Long.compareUnsigned(high, other.high);
    return byHigh != 0 ? byHigh : Long.compareUnsigned(low, other.low);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof IndexRow row && compareTo(row) == 0;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(high ^ low);
  }
}
