package io.callboard.jobs.internal.transition;

import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.internal.protocol.JobData;
import io.callboard.jobs.internal.protocol.UnreadableArgs;
import io.callboard.jobs.model.FailedKill;
import io.callboard.jobs.model.JobRun;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.RetryPolicy;
import io.callboard.jobs.model.RunOutput;
import io.callboard.jobs.model.RunState;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.ExponentialBackoff;
import io.callboard.time.Machine;
import io.callboard.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decides the next state of a job by its table of transitions, from the job, a message and the
 * time. Times of hosts, gate and edges are only shown in runs and events; {@code now} decides.
 */
@Machine
public final class JobMachine {
  /** Number of consecutive lost runs after which the job itself is given up. */
  public static final int MOST_LOSSES = 10;

  /**
   * Backoff before the next run of a job whose node died with its run, or whose runs are lost
   * repeatedly.
   */
  static final ExponentialBackoff LOSS_BACKOFF =
      Backoff.exponential(Duration.ofSeconds(5), Duration.ofMinutes(1));

  private final RandomGenerator random;

  /**
   * Creates the machine.
   *
   * @param random source of the jitter of backoffs
   */
  public JobMachine(RandomGenerator random) {
    this.random = random;
  }

  /**
   * Checks that this node knows the state of the run of the job that may be alive.
   *
   * @throws io.callboard.codecs.CodecException if only a newer node knows it; names the job, the
   *     state and what can be done
   */
  public static void checkRun(JobData job) {
    RunMachine.check(job);
  }

  /** Returns the job that a first submission creates. */
  public JobData submitted(JobCommand.Submit e, Instant now) {
    JobTransition rule =
        JobTransition.of(null, JobTrigger.SUBMITTED, JobFactsOf.submitted(e.spec(), now));
    return JobData.submitted(
        e.id(), e.spec(), Objects.requireNonNull(rule.to()), now, e.keyed(), e.listener());
  }

  /** Decides a grant. */
  public JobDecision granted(JobData job, JobCommand.Granted e, Instant now) {
    boolean current = e.runId() == job.nextRunId();
    JobTransition rule =
        JobTransition.of(job.state(), JobTrigger.GRANTED, JobFactsOf.about(job, current, now));
    return switch (rule) {
      case GRANT ->
          decided(
              rule,
              job,
              job.granted(e.runId(), RunMachine.granted(), e.host(), e.boot(), e.retry(), e.at()));
      case GRANT_UNWANTED -> decided(rule, job, job.gaveBack(e.runId()));
      default -> stale(rule, job, "grant of run " + e.runId(), now);
    };
  }

  /** Decides the report of a start. */
  public JobDecision started(JobData job, JobCommand.Started e, Instant now) {
    JobTransition rule = rule(job, JobTrigger.STARTED, e.runId(), now);
    if (rule == JobTransition.START_STALE) {
      return stale(rule, job, "start of run " + e.runId(), now);
    }
    JobState to = rule.to() == null ? job.state() : rule.to();
    RunState next = RunMachine.next(job, JobTrigger.STARTED, e.runId(), RunFacts.NONE);
    return next == null
        ? unchanged(rule, job)
        : decided(rule, job, job.started(to, next, e.at(), e.at()));
  }

  /** Decides the report that the host of a run is silent. */
  public JobDecision silent(JobData job, JobCommand.Silent e, Instant now) {
    JobTransition rule = rule(job, JobTrigger.SILENT, e.runId(), now);
    return rule == JobTransition.SILENT_STALE
        ? stale(rule, job, "silence of the host of run " + e.runId(), now)
        : to(rule, job, now, e.why());
  }

  /** Decides the report that the host of a run is heard again. */
  public JobDecision heard(JobData job, JobCommand.Heard e, Instant now) {
    JobTransition rule = rule(job, JobTrigger.HEARD, e.runId(), now);
    return rule == JobTransition.HEARD_STALE
        ? stale(rule, job, "news of the host of run " + e.runId(), now)
        : to(rule, job, now, "its host reports run %d again".formatted(e.runId()));
  }

  /** Decides the report that a run makes no progress. */
  public JobDecision stalled(JobData job, JobCommand.Stalled e, Instant now) {
    JobTransition rule = rule(job, JobTrigger.STALLED, e.runId(), now);
    if (rule == JobTransition.STALL_STALE) {
      return stale(rule, job, "stall of run " + e.runId(), now);
    }
    JobState to = rule.to() == null ? job.state() : rule.to();
    String what = "run %d has made no progress since %s".formatted(e.runId(), e.since());
    return decided(rule, job, job.stalled(to, e.since(), now, what));
  }

  /** Decides the report that a run makes progress; it is an event only if the run was stalled. */
  public JobDecision progressed(JobData job, JobCommand.Progressed e, Instant now) {
    JobTransition rule = rule(job, JobTrigger.PROGRESSED, e.runId(), now);
    if (rule == JobTransition.PROGRESS_STALE) {
      return stale(rule, job, "progress of run " + e.runId(), now);
    }
    JobState to = rule.to() == null ? job.state() : rule.to();
    JobRun run = Objects.requireNonNull(job.lastRun());
    JobData next = job;
    if (run.stalledSince() != null) {
      String what = "run %d makes progress again".formatted(e.runId());
      next = next.stalled(to, null, now, what);
    }
    String text = e.text();
    if (text != null) {
      next = next.progressed(text, e.at() == null ? now : e.at());
    }
    return noted(rule, job, next);
  }

  /**
   * Decides the report of files; a checkpoint is no event, a file that is not kept is one. Of a run
   * that is over, only the end of its log is taken, from a host that is back.
   */
  public JobDecision wrote(JobData job, JobCommand.Wrote e, Instant now) {
    JobTransition rule = rule(job, JobTrigger.WROTE, e.runId(), now);
    if (rule == JobTransition.WROTE) {
      return decided(rule, job, job.left(e.output(), false, now));
    }
    JobData late = job.lateLogEnd(e.runId(), e.output().logEnd());
    return late == job
        ? stale(rule, job, "files of run " + e.runId(), now)
        : decided(rule, job, late);
  }

  /** Decides the answer of its host how a run is; an answer that is known already is no event. */
  public JobDecision inspected(JobData job, JobCommand.Inspected e, Instant now) {
    JobTransition rule = rule(job, JobTrigger.INSPECTED, e.runId(), now);
    if (rule == JobTransition.INSPECTED_STALE) {
      return stale(rule, job, "answer how run %d is".formatted(e.runId()), now);
    }
    JobRun run = Objects.requireNonNull(job.lastRun());
    String what =
        "host %s was asked how run %d is: %s"
            .formatted(run.host(), e.runId(), e.look().words(job.spec().ofHandler()));
    return noted(rule, job, job.notedOnce(now, what));
  }

  /**
   * Decides the report that processes of a run are left. Its host goes on killing them, and reports
   * it each time; if the run is over, all reports are one event.
   */
  public JobDecision killFailed(JobData job, JobCommand.KillFailed e, Instant now) {
    JobTransition rule = rule(job, JobTrigger.KILL_FAILED, e.runId(), now);
    if (rule == JobTransition.KILL_FAILED_STALE) {
      String late = "refused: failed kill of run %d, which is over".formatted(e.runId());
      return noted(rule, job, job.notedOnce(now, late));
    }
    JobRun run = Objects.requireNonNull(job.lastRun());
    String what =
        e.stack() == null
            ? "run %d is not gone: %s left on %s after SIGKILL, killed again until none is"
                .formatted(e.runId(), pids(e.pids()), run.host())
            : "run %d is not gone: its handler on %s has not ended though it was asked to, it is interrupted again"
                .formatted(e.runId(), run.host());
    FailedKill kill = new FailedKill(e.runId(), e.pids(), e.at(), e.stack());
    return noted(rule, job, job.killFailed(kill, now, what));
  }

  /** Returns the words for processes that are left. */
  public static String pids(List<Long> pids) {
    String all = pids.stream().map(String::valueOf).collect(Collectors.joining(", "));
    return pids.size() == 1 ? "process %s is".formatted(all) : "processes %s are".formatted(all);
  }

  /** Decides the end of a run. */
  public JobDecision ended(JobData job, JobCommand.Ended e, Instant now) {
    if (Boolean.TRUE.equals(e.unreadable()) && UnreadableArgs.mayAskAnother(job)) {
      RunState outcome = RunMachine.next(job, JobTrigger.NOT_STARTED, e.runId(), RunFacts.NONE);
      return notStarted(
          job,
          outcome == null ? job : job.unread(outcome, null, e.error(), e.at()),
          e.runId(),
          now);
    }
    boolean succeeded = e.exitCode() == 0 && e.error() == null;
    RunFacts ofRun = new RunFacts(succeeded, job.state() == JobState.CANCELLING);
    RunState outcome = RunMachine.next(job, JobTrigger.ENDED, e.runId(), ofRun);
    boolean current = outcome != null;
    JobData over =
        outcome == null
            ? job
            : left(
                Boolean.TRUE.equals(e.unreadable()) // by a host that was asked, or one too many
                    ? job.unread(outcome, exitCode(job, e), e.error(), e.at())
                    : job.ended(outcome, exitCode(job, e), e.error(), e.at()),
                e.output(),
                succeeded,
                now);
    JobFacts facts =
        JobFactsOf.ended(over, current, succeeded, e.retryable() && retries(over, now), now);
    JobTransition rule = JobTransition.of(job.state(), JobTrigger.ENDED, facts);
    return switch (rule) {
      case END_SUCCEEDED -> decided(rule, job, over.to(JobState.SUCCEEDED, now, "succeeded"));
      case END_CANCELLED -> decided(rule, job, over.to(JobState.CANCELLED, now, "cancelled"));
      case END_RETRY -> decided(rule, job, retry(over, e.retryAfter(), now));
      case END_DEAD ->
          decided(
              rule,
              job,
              e.retryable()
                  ? dead(over, now, "no attempts are left")
                  : dead(over.failedForGood(), now, "another attempt must end the same"));
      default -> stale(rule, job, "end of run " + e.runId(), now);
    };
  }

  private static boolean retries(JobData job, Instant now) {
    return job.attempts() < job.retry().attempts() && !job.totalIsOver(now);
  }

  private static JobData left(
      JobData job, @Nullable RunOutput output, boolean succeeded, Instant now) {
    RunOutput known = output == null ? RunOutput.NONE : output;
    return known.leavesNothing() && !succeeded ? job : job.left(known, succeeded, now);
  }

  /** Returns the exit code to note; a handler has none. */
  private static @Nullable Integer exitCode(JobData job, JobCommand.Ended e) {
    return job.spec().ofHandler() ? null : Integer.valueOf(e.exitCode());
  }

  private JobData retry(JobData job, @Nullable Duration after, Instant now) {
    RetryPolicy policy = job.retry();
    Duration delay =
        after != null
            ? Time.atMostLongest(after)
            : Backoff.exponential(
                    Time.atMostLongest(policy.initial()), Time.atMostLongest(policy.max()))
                .delay(job.attempts(), random);
    return waiting(job, now.plus(delay), now, "attempt %d".formatted(job.attempts() + 1));
  }

  private static JobData waiting(JobData job, Instant due, Instant now, String what) {
    return job.waiting(JobState.RETRY_WAIT, due, now, what + " is due at " + due);
  }

  private static JobData dead(JobData job, Instant now, String why) {
    return job.to(JobState.DEAD, now, job.totalIsOver(now) ? totalElapsed(job) : why);
  }

  /**
   * Decides that the host could not start the run. The job is queued again at once: the host takes
   * no runs meanwhile, or not this one, as its handler cannot read the arguments. Of a run whose
   * start it has reported that is refused: it keeps its slot until its host, or the gate that
   * misses it there, reports how it ended.
   */
  public JobDecision notStarted(JobData job, JobCommand.NotStarted e, Instant now) {
    RunState outcome = RunMachine.next(job, JobTrigger.NOT_STARTED, e.runId(), RunFacts.NONE);
    JobData over = outcome == null ? job : job.ended(outcome, null, e.why(), e.at());
    return notStarted(job, over, e.runId(), now);
  }

  private static JobDecision notStarted(JobData job, JobData over, int runId, Instant now) {
    boolean current = job.isOpen(runId);
    JobTransition rule =
        JobTransition.of(job.state(), JobTrigger.NOT_STARTED, JobFactsOf.about(over, current, now));
    return switch (rule) {
      case NOT_STARTED_CANCELLED ->
          decided(rule, job, over.to(JobState.CANCELLED, now, "cancelled"));
      case NOT_STARTED_DEAD -> decided(rule, job, dead(over, now, "not started"));
      case NOT_STARTED_AGAIN -> decided(rule, job, again(over, now));
      default -> stale(rule, job, "failed start of run " + runId, now);
    };
  }

  private static JobData again(JobData job, Instant now) {
    return job.waiting(JobState.QUEUED, null, now, "queued again");
  }

  /**
   * Decides the loss of a run. The job runs again at once, unless it is suspected to have ended its
   * node, by a full disk or for lack of memory, and would do so again.
   */
  public JobDecision lost(JobData job, JobCommand.Lost e, Instant now) {
    RunState outcome = RunMachine.next(job, JobTrigger.LOST, e.runId(), RunFacts.NONE);
    boolean current = outcome != null;
    JobData over =
        outcome == null
            ? job
            : left(job.ended(outcome, null, e.why(), e.at()), e.output(), false, now);
    int suspicious = Boolean.TRUE.equals(e.withNode()) ? over.losses() : over.losses() - 1;
    JobTransition rule =
        JobTransition.of(
            job.state(), JobTrigger.LOST, JobFactsOf.lost(over, current, suspicious > 0, now));
    return switch (rule) {
      case LOST_CANCELLED -> decided(rule, job, over.to(JobState.CANCELLED, now, "cancelled"));
      case LOST_GIVEN_UP -> decided(rule, job, over.to(JobState.DEAD, now, "its run was lost"));
      case LOST_TOTAL -> decided(rule, job, dead(over, now, "its run was lost"));
      case LOST_HELD ->
          decided(rule, job, over.to(JobState.HELD, now, "held because its run was lost"));
      case LOST_SUSPECTED -> {
        Instant due = now.plus(LOSS_BACKOFF.delay(suspicious, random));
        yield decided(rule, job, waiting(over, due, now, "the next run"));
      }
      case LOST_AGAIN -> decided(rule, job, again(over, now));
      default -> stale(rule, job, "loss of run " + e.runId(), now);
    };
  }

  /** Decides the expiry of the wait for a run, or for a host that can read the arguments. */
  public JobDecision expired(JobData job, JobCommand.Expired e, Instant now) {
    boolean current = e.runId() == job.nextRunId();
    JobTrigger trigger =
        Boolean.TRUE.equals(e.unreadable()) ? JobTrigger.UNREADABLE : JobTrigger.EXPIRED;
    boolean stands = current && (trigger == JobTrigger.EXPIRED || job.unreadableAt() != null);
    JobTransition rule = JobTransition.of(job.state(), trigger, JobFactsOf.about(job, stands, now));
    return switch (rule) {
      case UNREADABLE -> decided(rule, job, job.unreadable(now));
      case EXPIRE -> to(rule, job, now, "not started within " + job.spec().timeouts().queue());
      case EXPIRE_STALE, UNREADABLE_STALE -> stale(rule, job, "expiry of run " + e.runId(), now);
      default -> unchanged(rule, job);
    };
  }

  /** Decides the end of the total timeout: a waiting job ends, a run is killed. */
  public JobDecision totalElapsed(JobData job, Instant now) {
    JobTransition rule = rule(job, JobTrigger.TOTAL_ELAPSED, now);
    if (rule == JobTransition.TOTAL_KILL) {
      return Boolean.TRUE.equals(job.overdue())
          ? unchanged(rule, job)
          : decided(rule, job, job.overdue(now, totalElapsed(job)));
    }
    return to(rule, job, now, totalElapsed(job));
  }

  /** Decides whether a cancelled run is killed once more. */
  public JobDecision stillThere(JobData job, Instant now) {
    return unchanged(rule(job, JobTrigger.STILL_THERE, now), job);
  }

  /** Decides a request to cancel. */
  public JobDecision cancel(JobData job, Instant now) {
    JobTransition rule = rule(job, JobTrigger.CANCEL, now);
    return rule == JobTransition.CANCEL_RUN
        ? decided(rule, job, job.waiting(JobState.CANCELLING, null, now, "cancel requested"))
        : to(rule, job, now, "cancelled before it ran");
  }

  /** Decides a request to hold; the job keeps its due time. */
  public JobDecision hold(JobData job, Instant now) {
    JobTransition rule = rule(job, JobTrigger.HOLD, now);
    return rule == JobTransition.HOLD
        ? decided(rule, job, job.waiting(JobState.HELD, job.nextAttemptAt(), now, "held"))
        : unchanged(rule, job);
  }

  /** Decides a request to release a held job. */
  public JobDecision release(JobData job, Instant now) {
    JobTransition rule = rule(job, JobTrigger.RELEASE, now);
    JobState to = rule.to();
    if (to == null) {
      return unchanged(rule, job);
    }
    Instant due = rule == JobTransition.RELEASE_DUE ? null : job.nextAttemptAt();
    String what = due == null ? "released" : "released, due at " + due;
    return decided(rule, job, job.waiting(to, due, now, what));
  }

  /** Decides a request to run again. */
  public JobDecision rerun(JobData job, Instant now) {
    JobTransition rule = rule(job, JobTrigger.RERUN, now);
    return rule == JobTransition.RERUN
        ? decided(rule, job, job.again(now, "rerun requested"))
        : unchanged(rule, job);
  }

  /** Decides a request to delete. */
  public JobDecision delete(JobData job, Instant now) {
    return unchanged(rule(job, JobTrigger.DELETE, now), job);
  }

  /** Decides whether the record of the job is removed. */
  public JobDecision letGo(JobData job, JobCommand.LetGo e, Instant now) {
    boolean current = e.version() == job.version();
    return unchanged(
        JobTransition.of(job.state(), JobTrigger.LET_GO, JobFactsOf.about(job, current, now)), job);
  }

  /** Returns the reason of an end by the total timeout, for people. */
  public static String totalElapsed(JobData job) {
    return "its total timeout of %s has elapsed".formatted(job.spec().timeouts().total());
  }

  private static JobTransition rule(JobData job, JobTrigger trigger, Instant now) {
    return JobTransition.of(job.state(), trigger, JobFactsOf.about(job, true, now));
  }

  private static JobTransition rule(JobData job, JobTrigger trigger, int runId, Instant now) {
    boolean current = RunMachine.takes(job, trigger, runId);
    return JobTransition.of(job.state(), trigger, JobFactsOf.about(job, current, now));
  }

  private static JobDecision to(JobTransition rule, JobData job, Instant now, String what) {
    return rule.to() == null
        ? unchanged(rule, job)
        : decided(rule, job, job.to(rule.to(), now, what));
  }

  private static JobDecision decided(JobTransition rule, JobData job, JobData next) {
    return new JobDecision(rule, job, next);
  }

  private static JobDecision unchanged(JobTransition rule, JobData job) {
    return new JobDecision(rule, job, null);
  }

  private static JobDecision stale(JobTransition rule, JobData job, String what, Instant now) {
    JobData next = rule.has(JobEffect.NOTE) ? job.noted(now, refused(job, what)) : job;
    return noted(rule, job, next);
  }

  private static JobDecision noted(JobTransition rule, JobData job, JobData next) {
    return next == job ? unchanged(rule, job) : decided(rule, job, next);
  }

  private static String refused(JobData job, String what) {
    return "refused: %s in state %s".formatted(what, job.state());
  }
}
