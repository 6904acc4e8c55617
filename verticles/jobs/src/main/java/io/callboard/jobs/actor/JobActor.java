package io.callboard.jobs.actor;

import io.callboard.ActorRef;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.jobs.model.JobException;
import io.callboard.jobs.model.JobRun;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.RetryPolicy;
import io.callboard.jobs.protocol.GateCommand;
import io.callboard.jobs.protocol.JobAnswer;
import io.callboard.jobs.protocol.JobCommand;
import io.callboard.jobs.protocol.JobData;
import io.callboard.jobs.protocol.MonitorCommand;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.ExponentialBackoff;
import io.callboard.time.Time;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BiConsumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Durable actor of one job: its specification, its state, its runs. Every change is one turn; a
 * message that does not fit the state (an outcome of an old run, a grant after a cancel) changes
 * nothing but what must be given back.
 *
 * <p>All its decisions by time use the clock of its node; times of hosts, gate and edges are only
 * shown in runs and events.
 */
public final class JobActor extends DurableStateActor<JobCommand, JobActor.Slot> {
  /** Path prefix of the actors of jobs. */
  public static final String PREFIX = "/jobs/job";

  /** Number of consecutive lost runs after which the job itself is suspected. */
  static final int MOST_LOSSES = 10;

  /**
   * Backoff before the next run of a job whose node died with its run, or whose runs are lost
   * repeatedly.
   */
  static final ExponentialBackoff LOSS_BACKOFF =
      Backoff.exponential(Duration.ofSeconds(5), Duration.ofMinutes(1));

  private static final Duration ASK_AGAIN = Duration.ofSeconds(5);
  private static final String TOTAL = "total";

  private final Clock clock;
  private final RandomGenerator random;
  private final BiConsumer<String, JobNews> news;

  /**
   * State of the actor.
   *
   * @param job null until it is submitted, and once it is deleted
   * @param deleted null unless it is deleted
   */
  public record Slot(@Nullable JobData job, @Nullable Tombstone deleted) {
    /** State before the submission. */
    public static final Slot EMPTY = new Slot(null, null);
  }

  /**
   * Creates the actor of a job.
   *
   * @param news receives the id of the job and its change or deletion, after the commit
   */
  public JobActor(Clock clock, RandomGenerator random, BiConsumer<String, JobNews> news) {
    this.clock = clock;
    this.random = random;
    this.news = news;
  }

  /** Returns the path of the actor of that job. */
  public static String path(String id) {
    return PREFIX + "/" + id;
  }

  @Override
  protected Slot initial() {
    return Slot.EMPTY;
  }

  @Override
  protected void protocol(Protocol<JobCommand> on) {
    on.message(JobCommand.Submit.class, this::submit)
        .message(JobCommand.Look.class, look -> answer())
        .message(JobCommand.Granted.class, this::granted)
        .message(JobCommand.Started.class, this::runStarted)
        .message(JobCommand.Ended.class, this::runEnded)
        .message(JobCommand.NotStarted.class, this::notStarted)
        .message(JobCommand.Lost.class, this::lost)
        .message(JobCommand.Expired.class, this::expired)
        .message(JobCommand.Cancel.class, this::cancel)
        .message(JobCommand.Rerun.class, this::rerun)
        .message(JobCommand.Hold.class, this::hold)
        .message(JobCommand.Release.class, this::release)
        .message(JobCommand.Delete.class, this::delete)
        .message(JobCommand.Freed.class, freed -> freed(freed.host()))
        .message(JobCommand.Forget.class, forget -> forget())
        .message(JobCommand.StillThere.class, again -> kill())
        .message(JobCommand.TotalOver.class, over -> totalOver());
  }

  @Override
  protected Future<?> started() {
    if (state().job() != null && state().job().state() == JobState.CANCELLING) {
      startTimer("kill", ASK_AGAIN, new JobCommand.StillThere());
    }
    return Future.succeededFuture();
  }

  private void submit(JobCommand.Submit e) {
    if (state().job() == null && state().deleted() == null) {
      Instant now = clock.instant();
      JobData job = JobData.submitted(e.id(), e.spec(), now);
      enqueue(job, job.nextAttemptAt(), now);
      is(job);
      startTotal(job);
    }
    answer();
  }

  private void granted(JobCommand.Granted e) {
    JobData job = state().job();
    if (job == null || !job.state().inQueue() || e.runId() != job.nextRunId()) {
      giveBack(e.runId());
      if (job != null && e.runId() == job.nextRunId()) {
        is(job.gaveBack(e.runId()));
      }
      return;
    }
    is(job.granted(e.runId(), e.host(), e.boot(), e.retry(), e.at()));
    JobSpec spec = job.spec();
    tell(
        monitor(e.host()),
        new MonitorCommand.Start(
            job.id(),
            e.runId(),
            e.boot(),
            spec.command(),
            spec.env(),
            e.epoch(),
            spec.timeouts().run(),
            e.term()));
  }

  private void runStarted(JobCommand.Started e) {
    JobData job = state().job();
    if (job != null && job.isOpen(e.runId())) {
      is(job.started(e.runId(), e.at()));
    }
  }

  private void runEnded(JobCommand.Ended e) {
    JobData job = state().job();
    Instant now = clock.instant();
    giveBack(e.runId());
    if (job == null || !job.isOpen(e.runId())) {
      return;
    }
    boolean cancelled = job.state() == JobState.CANCELLING;
    boolean good = e.exitCode() == 0 && e.error() == null;
    String outcome = good ? "SUCCEEDED" : cancelled ? "CANCELLED" : "FAILED";
    JobData over = job.ended(outcome, e.exitCode(), e.error(), e.at());
    if (good) {
      is(over.to(JobState.SUCCEEDED, now, "succeeded"));
    } else if (cancelled) {
      is(over.to(JobState.CANCELLED, now, "cancelled"));
    } else if (e.retryable() && over.mayRetry(now)) {
      retry(over, now);
    } else {
      is(
          over.to(
              JobState.DEAD,
              now,
              over.totalIsOver(now) ? totalIsOver(over) : "no attempts are left"));
    }
  }

  private void retry(JobData job, Instant now) {
    RetryPolicy policy = job.retry();
    Duration delay =
        Backoff.exponential(Time.atMostLongest(policy.initial()), Time.atMostLongest(policy.max()))
            .delay(job.attempts(), random);
    waitUntil(job, now.plus(delay), now, "attempt %d".formatted(job.attempts() + 1));
  }

  private void waitUntil(JobData job, Instant due, Instant now, String what) {
    JobData waiting = job.waiting(JobState.RETRY_WAIT, due, now, what + " is due at " + due);
    enqueue(waiting, due, now);
    is(waiting);
  }

  /**
   * Queues the job again after its host could not start the run; the host takes no runs meanwhile,
   * so the job does not return there at once.
   */
  private void notStarted(JobCommand.NotStarted e) {
    JobData job = state().job();
    Instant now = clock.instant();
    giveBack(e.runId());
    if (job == null || !job.isOpen(e.runId())) {
      return;
    }
    JobData over = job.ended(JobData.NOT_STARTED, null, e.why(), e.at());
    if (job.state() == JobState.CANCELLING) {
      is(over.to(JobState.CANCELLED, now, "cancelled"));
    } else if (over.totalIsOver(now)) {
      is(over.to(JobState.DEAD, now, totalIsOver(over)));
    } else {
      queueAgain(over, now);
    }
  }

  private void queueAgain(JobData job, Instant now) {
    JobData queued = job.waiting(JobState.QUEUED, null, now, "queued again");
    enqueue(queued, null, now);
    is(queued);
  }

  private void lost(JobCommand.Lost e) {
    JobData job = state().job();
    Instant now = clock.instant();
    giveBack(e.runId());
    if (job == null || !job.isOpen(e.runId())) {
      return;
    }
    JobData over = job.ended("LOST", null, e.why(), e.at());
    if (job.state() == JobState.CANCELLING) {
      is(over.to(JobState.CANCELLED, now, "cancelled"));
    } else if (over.losses() >= MOST_LOSSES || job.spec().onLost().equals("fail")) {
      is(over.to(JobState.DEAD, now, "its run was lost"));
    } else if (over.totalIsOver(now)) {
      is(over.to(JobState.DEAD, now, totalIsOver(over)));
    } else if (job.spec().onLost().equals("hold")) {
      is(over.to(JobState.HELD, now, "held because its run was lost"));
    } else {
      againAfterLoss(over, Boolean.TRUE.equals(e.withNode()), now);
    }
  }

  /**
   * Runs the job again after a loss: at once, unless the job itself is suspected to have ended its
   * node, by a full disk or for lack of memory, and would do so again.
   */
  private void againAfterLoss(JobData job, boolean withNode, Instant now) {
    int suspicious = withNode ? job.losses() : job.losses() - 1;
    if (suspicious > 0) {
      waitUntil(job, now.plus(LOSS_BACKOFF.delay(suspicious, random)), now, "the next run");
    } else {
      queueAgain(job, now);
    }
  }

  private static String totalIsOver(JobData job) {
    return "its total timeout of %s has elapsed".formatted(job.spec().timeouts().total());
  }

  private void startTotal(JobData job) {
    Duration total = job.spec().timeouts().total();
    if (total != null) {
      startDurableTimer(TOTAL, Time.atMostLongest(total), new JobCommand.TotalOver());
    }
  }

  /**
   * Ends a job whose total timeout has passed: its run is killed, repeatedly until it is gone; a
   * waiting job ends at once.
   */
  private void totalOver() {
    JobData job = state().job();
    if (job == null || job.state().terminal()) {
      return;
    }
    Instant now = clock.instant();
    JobRun run = job.lastRun();
    if (run != null && run.endedAt() == null) {
      if (!Boolean.TRUE.equals(job.overdue())) {
        is(job.overdue(now, totalIsOver(job)));
      }
      tell(
          monitor(run.host()),
          new MonitorCommand.Kill(job.id() + "/" + run.runId(), totalIsOver(job), run.boot()));
      startDurableTimer(TOTAL, ASK_AGAIN, new JobCommand.TotalOver());
    } else {
      tell(gate(), new GateCommand.Withdraw(job.id()));
      JobState end = job.attempts() + job.losses() > 0 ? JobState.DEAD : JobState.EXPIRED;
      is(job.to(end, now, totalIsOver(job)));
    }
  }

  private void expired(JobCommand.Expired e) {
    JobData job = state().job();
    if (job != null && job.state().inQueue() && e.runId() == job.nextRunId()) {
      is(
          job.to(
              JobState.EXPIRED,
              clock.instant(),
              "not started within " + job.spec().timeouts().queue()));
    }
  }

  private void cancel(JobCommand.Cancel e) {
    JobData job = state().job();
    Instant now = clock.instant();
    if (job == null) {
      answer();
    } else if (job.state() == JobState.CANCELLED || job.state() == JobState.CANCELLING) {
      answer();
    } else if (job.state().terminal()) {
      refuse(job, "cancelled");
    } else if (job.state() == JobState.ADMITTED || job.state() == JobState.RUNNING) {
      is(job.waiting(JobState.CANCELLING, null, now, "cancel requested"));
      kill();
      answer();
    } else {
      tell(gate(), new GateCommand.Withdraw(job.id()));
      is(job.to(JobState.CANCELLED, now, "cancelled before it ran"));
      answer();
    }
  }

  private void kill() {
    JobData job = state().job();
    JobRun run = job == null ? null : job.lastRun();
    if (job != null && run != null && job.state() == JobState.CANCELLING) {
      tell(
          monitor(run.host()),
          new MonitorCommand.Kill(job.id() + "/" + run.runId(), "cancelled", run.boot()));
      startDurableTimer("kill", ASK_AGAIN, new JobCommand.StillThere());
    }
  }

  private void rerun(JobCommand.Rerun e) {
    JobData job = state().job();
    Instant now = clock.instant();
    if (job != null && !job.state().terminal()) {
      refuse(job, "run again");
      return;
    }
    if (job != null) {
      JobData queued = job.again(now, "rerun requested");
      enqueue(queued, null, now);
      is(queued);
      startTotal(queued);
    }
    answer();
  }

  private void hold(JobCommand.Hold e) {
    JobData job = state().job();
    Instant now = clock.instant();
    if (job == null || job.state() == JobState.HELD) {
      answer();
      return;
    }
    switch (job.state()) {
      case QUEUED, SCHEDULED, RETRY_WAIT -> {
        tell(gate(), new GateCommand.Withdraw(job.id()));
        is(job.waiting(JobState.HELD, job.nextAttemptAt(), now, "held"));
        answer();
      }
      default -> refuse(job, "held");
    }
  }

  private void release(JobCommand.Release e) {
    JobData job = state().job();
    Instant now = clock.instant();
    if (job == null) {
      answer();
    } else if (job.state() == JobState.HELD) {
      JobData released = job.released(now);
      enqueue(released, released.nextAttemptAt(), now);
      is(released);
      answer();
    } else {
      refuse(job, "released");
    }
  }

  /** Deletes the job; its hosts delete the files of its runs, at once or when they are back. */
  private void delete(JobCommand.Delete e) {
    JobData job = state().job();
    if (job == null) {
      answer();
    } else if (!job.state().terminal()) {
      refuse(job, "deleted before it has ended");
    } else {
      String key = job.spec().uniqueKey();
      if (key != null) {
        tell(
            callboard().durableRef(JobKey.path(JobKey.UNIQUE, key), JobKey.Claim.class),
            JobKey.Claim.letGo(job.id()));
      }
      Tombstone tombstone = Tombstone.of(job, clock.instant());
      reply(new JobAnswer.Is(job));
      remains(tombstone);
      afterCommit(() -> news.accept(job.id(), new JobNews.JobDeleted(job.id(), tombstone)));
    }
  }

  private void freed(String host) {
    Tombstone tombstone = state().deleted();
    if (tombstone != null && tombstone.hosts().contains(host)) {
      remains(tombstone.freed(host));
    }
  }

  private void forget() {
    Tombstone tombstone = state().deleted();
    if (tombstone != null) {
      remains(tombstone);
    }
  }

  private void remains(Tombstone tombstone) {
    if (tombstone.isOver(clock.instant())) {
      deleteSelf();
    } else {
      update(new Slot(null, tombstone));
    }
  }

  private void enqueue(JobData job, @Nullable Instant notBefore, Instant now) {
    Duration limit = job.spec().timeouts().queue();
    Instant from = notBefore == null ? now : notBefore;
    tell(
        gate(),
        new GateCommand.Enqueue(
            job.id(),
            job.nextRunId(),
            job.spec().type(),
            job.spec().priority(),
            now,
            notBefore,
            limit == null ? null : from.plus(limit)));
  }

  private void giveBack(int runId) {
    tell(gate(), new GateCommand.Release(path().name(), runId));
  }

  private ActorRef<GateCommand> gate() {
    return callboard().durableRef(Gate.PATH, GateCommand.class);
  }

  private ActorRef<MonitorCommand> monitor(String host) {
    return callboard().ref(HostMonitor.path(host), MonitorCommand.class);
  }

  private void is(JobData job) {
    update(new Slot(job, null));
    afterCommit(() -> news.accept(job.id(), new JobNews.JobChanged(job.view())));
    if (job.spec().timeouts().total() != null && job.state().terminal()) {
      cancelDurableTimer(TOTAL);
    }
  }

  private void answer() {
    JobData job = state().job();
    if (job == null && state().deleted() != null) {
      reply(
          new JobAnswer.Refused(
              JobException.Code.ILLEGAL_STATE, "job %s was deleted".formatted(path().name())));
    } else if (job == null) {
      reply(new JobAnswer.Refused(JobException.Code.NOT_FOUND, "there is no job " + path().name()));
    } else {
      reply(new JobAnswer.Is(job));
    }
  }

  private void refuse(JobData job, String what) {
    reply(
        new JobAnswer.Refused(
            JobException.Code.ILLEGAL_STATE,
            "job %s is %s and cannot be %s".formatted(job.id(), job.state(), what)));
  }
}
