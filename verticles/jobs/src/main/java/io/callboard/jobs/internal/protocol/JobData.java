package io.callboard.jobs.internal.protocol;

import io.callboard.ActorRef;
import io.callboard.jobs.model.FailedKill;
import io.callboard.jobs.model.FileContent;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobEnded;
import io.callboard.jobs.model.JobEvent;
import io.callboard.jobs.model.JobRun;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.RetryPolicy;
import io.callboard.jobs.model.RunOutput;
import io.callboard.jobs.model.RunState;
import io.callboard.time.Machine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Durable state of one job. Immutable; each changed copy has the next version.
 *
 * @param id id of the job
 * @param spec its specification
 * @param state current state
 * @param createdAt time of the submission
 * @param endedAt time of the end; null before it
 * @param nextAttemptAt when it becomes due, also while it is held; null if it is due
 * @param attempts attempts used since the last submission or rerun; lost runs do not count
 * @param losses consecutive lost runs
 * @param runs last runs, oldest first
 * @param error why it is dead, for people; null unless it is
 * @param events last {@value #MOST_EVENTS} events, oldest first
 * @param version number that grows with each change
 * @param typeRetry retry policy of its type, as of the last grant; null before the first
 * @param since time of the last rerun; null for {@code createdAt}
 * @param overdue whether its total timeout has passed and its run is being killed, by its own timer
 *     whatever the clocks of hosts say; null for no
 * @param earlierHosts hosts of runs that are not kept any more; null for none
 * @param givenBack highest id of a run that was granted and given back before it began; null for
 *     none
 * @param keyed whether an idempotency key names it; null if that is unknown
 * @param files contents that its runs left; null for none
 * @param failedKill kill of its open run that left processes; null for none
 * @param stateSince since when it is in its state; null if an older node wrote it
 * @param listener durable actor that is told of each end; null for none
 * @param unreadableAt boots of hosts that could not read its arguments since its last attempt, each
 *     {@code host/boot}; null for none
 */
@Machine
public record JobData(
    String id,
    JobSpec spec,
    JobState state,
    Instant createdAt,
    @Nullable Instant endedAt,
    @Nullable Instant nextAttemptAt,
    int attempts,
    int losses,
    List<JobRun> runs,
    @Nullable String error,
    List<JobEvent> events,
    long version,
    @Nullable RetryPolicy typeRetry,
    @Nullable Instant since,
    @Nullable Boolean overdue,
    @Nullable List<String> earlierHosts,
    @Nullable Integer givenBack,
    @Nullable Boolean keyed,
    @Nullable JobFiles files,
    @Nullable FailedKill failedKill,
    @Nullable Instant stateSince,
    @Nullable ActorRef<JobEnded> listener,
    @Nullable List<String> unreadableAt) {

  /** Maximum number of events kept. */
  public static final int MOST_EVENTS = 50;

  /** Maximum number of runs kept; the ids of older ones stay used. */
  public static final int MOST_RUNS = 50;

  /** Copies the lists. */
  public JobData {
    runs = List.copyOf(runs);
    events = List.copyOf(events);
  }

  /** Returns the state of a job that was just submitted, for its time if it is SCHEDULED. */
  public static JobData submitted(
      String id,
      JobSpec spec,
      JobState state,
      Instant at,
      @Nullable Boolean keyed,
      @Nullable ActorRef<JobEnded> listener) {
    boolean later = state == JobState.SCHEDULED;
    return new JobData(
        id,
        spec,
        state,
        at,
        null,
        later ? spec.runAt() : null,
        0,
        0,
        List.of(),
        null,
        List.of(new JobEvent(at, later ? "submitted for " + spec.runAt() : "submitted")),
        1,
        null,
        null,
        null,
        null,
        null,
        keyed,
        null,
        null,
        at,
        listener,
        null);
  }

  /** Returns the id of the next run. */
  public int nextRunId() {
    int last = runs.isEmpty() ? 0 : runs.get(runs.size() - 1).runId();
    return 1 + Math.max(last, givenBack == null ? 0 : givenBack);
  }

  /**
   * Returns the state after a run was granted and given back: its id stays used, so that late
   * messages about it are not taken for those of the next run.
   */
  public JobData gaveBack(int runId) {
    return with(runs, events, overdue, runId, files, failedKill);
  }

  /** Returns the last run; null before the first. */
  public @Nullable JobRun lastRun() {
    return runs.isEmpty() ? null : runs.get(runs.size() - 1);
  }

  /** Returns whether {@code runId} is the last run and has not ended. */
  public boolean isOpen(int runId) {
    JobRun last = lastRun();
    return last != null && last.runId() == runId && last.endedAt() == null;
  }

  /** Returns the job in another state, with an event. */
  public JobData to(JobState next, Instant at, String what) {
    return change(
        next,
        next.terminal() ? at : null,
        null,
        attempts,
        losses,
        runs,
        next.terminal() ? error : null,
        at,
        what);
  }

  /** Returns the job waiting until a time, with an event. */
  public JobData waiting(JobState next, @Nullable Instant until, Instant at, String what) {
    return change(next, null, until, attempts, losses, runs, error, at, what);
  }

  /** Returns the job with a new run, in state {@code run}, that a host was granted. */
  public JobData granted(
      int runId, RunState run, String host, String boot, @Nullable RetryPolicy ofType, Instant at) {
    List<JobRun> all = new ArrayList<>(runs);
    all.add(JobRun.granted(runId, run, host, boot));
    List<JobRun> kept = all.subList(Math.max(0, all.size() - MOST_RUNS), all.size());
    return change(
        JobState.ADMITTED,
        null,
        null,
        attempts,
        losses,
        kept,
        null,
        at,
        "run %d granted on %s".formatted(runId, host),
        ofType == null ? typeRetry : ofType,
        since,
        unreadableAt);
  }

  /** Returns the job in {@code next} with its last run started, and in {@code nextOfRun}. */
  public JobData started(JobState next, RunState nextOfRun, Instant startedAt, Instant at) {
    JobRun run = runs.get(runs.size() - 1);
    return change(
        next,
        null,
        null,
        attempts,
        losses,
        replaceLast(run.started(nextOfRun, startedAt)),
        error,
        at,
        "run %d started on %s".formatted(run.runId(), run.host()));
  }

  /** Returns the job in {@code next} with its last run stalled, or not any more. */
  public JobData stalled(JobState next, @Nullable Instant since, Instant at, String what) {
    JobRun run = runs.get(runs.size() - 1);
    return change(
        next, null, null, attempts, losses, replaceLast(run.stalled(since)), error, at, what);
  }

  /** Returns the job with the progress of its last run, which is no event. */
  public JobData progressed(String text, Instant at) {
    JobRun run = runs.get(runs.size() - 1);
    return with(
        replaceLast(run.progressed(text, at)), events, overdue, givenBack, files, failedKill);
  }

  /** Returns the job with processes left of its open run, with an event if they are others. */
  public JobData killFailed(FailedKill kill, Instant at, String what) {
    FailedKill known = failedKill;
    if (known == null || known.runId() != kill.runId() || !known.pids().equals(kill.pids())) {
      return with(runs, eventsWith(at, what), overdue, givenBack, files, kill);
    }
    return Objects.equals(known.stack(), kill.stack())
        ? this
        : with(runs, events, overdue, givenBack, files, kill); // a thread is elsewhere each time
  }

  /** Returns the job with the output of its last run, at the run's end or before. */
  public JobData left(RunOutput output, boolean succeeded, Instant at) {
    JobRun run = runs.get(runs.size() - 1);
    JobFiles known = files == null ? JobFiles.NONE : files;
    JobFiles next = known.after(run.runId(), output, succeeded, at);
    String text = output.progress();
    JobData left =
        with(
            text == null || text.equals(run.progress())
                ? runs
                : replaceLast(run.progressed(text, at)),
            events,
            overdue,
            givenBack,
            next.equals(JobFiles.NONE) ? null : next,
            failedKill);
    for (String why : output.refused()) {
      left = left.notedOnce(at, "run %d: %s".formatted(run.runId(), why));
    }
    return left;
  }

  /** Returns the job with the end of the log of an earlier run; the job itself if it is known. */
  public JobData lateLogEnd(int runId, @Nullable FileContent end) {
    JobFiles known = files == null ? JobFiles.NONE : files;
    boolean ended = runs.stream().anyMatch(run -> run.runId() == runId && run.endedAt() != null);
    return end == null || !ended || known.logEnd(runId).isPresent()
        ? this
        : with(runs, events, overdue, givenBack, known.withLogEnd(runId, end), failedKill);
  }

  /** Returns the job unchanged but for an event; the job itself if it has that one already. */
  public JobData notedOnce(Instant at, String what) {
    return events.stream().anyMatch(event -> event.what().equals(what)) ? this : noted(at, what);
  }

  /** Returns the job unchanged but for an event; the job itself if that is the last one already. */
  public JobData noted(Instant at, String what) {
    boolean known = !events.isEmpty() && events.get(events.size() - 1).what().equals(what);
    return known
        ? this
        : change(state, endedAt, nextAttemptAt, attempts, losses, runs, error, at, what);
  }

  /** Returns the job with its last run ended; the next change decides how the job goes on. */
  public JobData ended(
      RunState outcome, @Nullable Integer exitCode, @Nullable String why, Instant at) {
    return ended(outcome, exitCode, why, at, outcome.isAttempt() ? null : unreadableAt);
  }

  /** Returns the job with its last run given back by its host, which cannot read the arguments. */
  public JobData unread(
      RunState outcome, @Nullable Integer exitCode, @Nullable String why, Instant at) {
    return ended(outcome, exitCode, why, at, UnreadableArgs.asked(this));
  }

  private JobData ended(
      RunState outcome,
      @Nullable Integer exitCode,
      @Nullable String why,
      Instant at,
      @Nullable List<String> asked) {
    JobRun run = runs.get(runs.size() - 1);
    boolean lost = outcome == RunState.LOST;
    String what =
        "run %d %s%s%s"
            .formatted(
                run.runId(),
                outcome.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                exitCode == null ? "" : " with exit code " + exitCode,
                why == null ? "" : ": " + why);
    return change(
        state,
        null,
        null,
        outcome.isAttempt() ? attempts + 1 : attempts,
        lost ? losses + 1 : outcome.isAttempt() ? 0 : losses,
        replaceLast(run.ended(outcome, exitCode, why, at)),
        outcome == RunState.SUCCEEDED ? null : what,
        at,
        what,
        typeRetry,
        since,
        asked);
  }

  /** Returns the job, whose last run failed such that another attempt must end the same. */
  public JobData failedForGood() {
    JobRun run = runs.get(runs.size() - 1);
    return with(replaceLast(run.failedForGood()), events, overdue, givenBack, files, failedKill);
  }

  /** Returns the job, dead for good since no host can read its arguments. */
  public JobData unreadable(Instant at) {
    String what = UnreadableArgs.words(this);
    JobData over = failedForGood();
    return over.change(JobState.DEAD, at, null, attempts, losses, over.runs, what, at, what);
  }

  /** Returns the job queued once more: attempts, losses and the total timeout start over. */
  public JobData again(Instant at, String what) {
    JobData next =
        change(JobState.QUEUED, null, null, 0, 0, runs, null, at, what, typeRetry, at, null);
    return files == null
        ? next
        : next.with(
            next.runs, next.events, next.overdue, givenBack, files.again(), next.failedKill);
  }

  private List<JobRun> replaceLast(JobRun run) {
    List<JobRun> all = new ArrayList<>(runs);
    all.set(all.size() - 1, run);
    return all;
  }

  private JobData change(
      JobState next,
      @Nullable Instant end,
      @Nullable Instant until,
      int nextAttempts,
      int nextLosses,
      List<JobRun> nextRuns,
      @Nullable String nextError,
      Instant at,
      String what) {
    return change(
        next,
        end,
        until,
        nextAttempts,
        nextLosses,
        nextRuns,
        nextError,
        at,
        what,
        typeRetry,
        since,
        unreadableAt);
  }

  private JobData change(
      JobState next,
      @Nullable Instant end,
      @Nullable Instant until,
      int nextAttempts,
      int nextLosses,
      List<JobRun> nextRuns,
      @Nullable String nextError,
      Instant at,
      String what,
      @Nullable RetryPolicy ofType,
      @Nullable Instant submittedAgain,
      @Nullable List<String> asked) {
    return new JobData(
        id,
        spec,
        next,
        createdAt,
        end,
        until,
        nextAttempts,
        nextLosses,
        nextRuns,
        nextError,
        eventsWith(at, what),
        version + 1,
        ofType,
        submittedAgain,
        Objects.equals(since, submittedAgain) ? overdue : null,
        earlierHosts(nextRuns),
        givenBack,
        keyed,
        files,
        nextRuns.stream().anyMatch(run -> run.endedAt() == null) ? failedKill : null,
        next == state ? stateSince : at,
        listener,
        asked);
  }

  private List<JobEvent> eventsWith(Instant at, String what) {
    List<JobEvent> all = Stream.concat(events.stream(), Stream.of(new JobEvent(at, what))).toList();
    return all.subList(Math.max(0, all.size() - MOST_EVENTS), all.size());
  }

  /** Returns the next version in the same state. */
  private JobData with(
      List<JobRun> nextRuns,
      List<JobEvent> nextEvents,
      @Nullable Boolean isOverdue,
      @Nullable Integer lastGivenBack,
      @Nullable JobFiles nextFiles,
      @Nullable FailedKill nextKill) {
    return new JobData(
        id,
        spec,
        state,
        createdAt,
        endedAt,
        nextAttemptAt,
        attempts,
        losses,
        nextRuns,
        error,
        nextEvents,
        version + 1,
        typeRetry,
        since,
        isOverdue,
        earlierHosts,
        lastGivenBack,
        keyed,
        nextFiles,
        nextKill,
        stateSince,
        listener,
        unreadableAt);
  }

  /** Returns the hosts of runs that are not among {@code nextRuns}, with those known before. */
  private @Nullable List<String> earlierHosts(List<JobRun> nextRuns) {
    Set<String> earlier = new TreeSet<>(hosts());
    nextRuns.forEach(run -> earlier.remove(run.host()));
    return earlier.isEmpty() ? null : List.copyOf(earlier);
  }

  /** Returns all hosts that ever ran the job. */
  public List<String> hosts() {
    Set<String> all = new TreeSet<>(earlierHosts == null ? List.of() : earlierHosts);
    runs.forEach(run -> all.add(run.host()));
    return List.copyOf(all);
  }

  /** Returns the job's own retry policy or, without one, that of its type. */
  public RetryPolicy retry() {
    boolean ofType = Boolean.TRUE.equals(spec.typesRetry());
    return ofType && typeRetry != null ? typeRetry : spec.retry();
  }

  /** Returns whether the total timeout has passed. */
  public boolean totalIsOver(Instant at) {
    Duration total = spec.timeouts().total();
    Instant begun = since == null ? createdAt : since;
    return Boolean.TRUE.equals(overdue) || (total != null && !begun.plus(total).isAfter(at));
  }

  /** Returns the job with its last run being killed, since its total timeout has passed. */
  public JobData overdue(Instant at, String what) {
    return with(runs, eventsWith(at, what), true, givenBack, files, failedKill);
  }

  /** Returns the job as clients see it. */
  public Job view() {
    return ClientView.of(this);
  }

  /** Returns the job for a client that asks for it alone, with the contents of files. */
  public Job detail() {
    return ClientView.detail(this);
  }

  /** Returns the notice of the job's end, once it has ended. */
  public JobEnded end() {
    return ClientView.end(this);
  }
}
