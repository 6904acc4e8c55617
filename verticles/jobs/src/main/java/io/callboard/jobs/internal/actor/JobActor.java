package io.callboard.jobs.internal.actor;

import io.callboard.ActorRef;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.jobs.internal.protocol.GateCommand;
import io.callboard.jobs.internal.protocol.JobAnswer;
import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.internal.protocol.JobData;
import io.callboard.jobs.internal.protocol.MonitorCommand;
import io.callboard.jobs.internal.transition.JobDecision;
import io.callboard.jobs.internal.transition.JobEffect;
import io.callboard.jobs.internal.transition.JobMachine;
import io.callboard.jobs.internal.transition.JobTransition;
import io.callboard.jobs.model.JobException;
import io.callboard.jobs.model.JobRun;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobState;
import io.callboard.store.StoredActor;
import io.callboard.time.Time;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Durable actor of one job: its specification, its state, its runs. Every change is one turn.
 * {@link JobMachine} decides by the table of transitions, this actor carries it out.
 *
 * <p>All its decisions by time use the clock of its node; times of hosts, gate and edges are only
 * shown in runs and events.
 *
 * <p>Size: one actor carries out every message of a job and every effect of its table, each in a
 * few lines.
 */
public final class JobActor extends DurableStateActor<JobCommand, JobActor.Slot> {
  /** Path prefix of the actors of jobs. */
  public static final String PREFIX = "/jobs/job";

  private static final Duration ASK_AGAIN = Duration.ofSeconds(5);
  private static final String TOTAL = "total";
  private static final String KILL = "kill";

  private final Clock clock;
  private final JobMachine machine;
  private final JobObserver observer;
  private final Function<JobData, Future<Void>> claimAgain;

  /** Decision of the machine about a message of one kind. */
  @FunctionalInterface
  private interface Decide<E> {
    JobDecision decide(JobData job, E message, Instant now);
  }

  /**
   * State of the actor.
   *
   * @param job null until it is submitted, and once it is deleted
   * @param deleted null unless it is deleted
   */
  public record Slot(@Nullable JobData job, @Nullable Tombstone deleted) {
    /** State before the submission. */
    public static final Slot EMPTY = new Slot(null, null);

    /**
     * Returns what is stored of a job's actor; empty before its first message was handled.
     *
     * @throws io.callboard.codecs.CodecException if it cannot be read
     */
    public static Optional<Slot> of(StoredActor actor) {
      return actor.record().state(Slot.class);
    }
  }

  /**
   * Creates the actor of a job.
   *
   * @param observer observer of the job on this node
   * @param claimAgain claims the unique key of a job that is to run again; fails with a {@link
   *     JobException} if that may not
   */
  public JobActor(
      Clock clock,
      RandomGenerator random,
      JobObserver observer,
      Function<JobData, Future<Void>> claimAgain) {
    this.clock = clock;
    this.machine = new JobMachine(random);
    this.observer = observer;
    this.claimAgain = claimAgain;
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
        .message(JobCommand.Started.class, e -> run(e.runId(), e, machine::started))
        .message(JobCommand.Silent.class, e -> run(e.runId(), e, machine::silent))
        .message(JobCommand.Heard.class, e -> run(e.runId(), e, machine::heard))
        .message(JobCommand.Stalled.class, e -> run(e.runId(), e, machine::stalled))
        .message(JobCommand.Progressed.class, e -> run(e.runId(), e, machine::progressed))
        .message(JobCommand.Wrote.class, e -> run(e.runId(), e, machine::wrote))
        .message(JobCommand.Inspected.class, e -> run(e.runId(), e, machine::inspected))
        .message(JobCommand.KillFailed.class, e -> run(e.runId(), e, machine::killFailed))
        .message(JobCommand.Ended.class, e -> run(e.runId(), e, machine::ended))
        .message(JobCommand.NotStarted.class, e -> run(e.runId(), e, machine::notStarted))
        .message(JobCommand.Lost.class, e -> run(e.runId(), e, machine::lost))
        .message(JobCommand.Expired.class, e -> run(e.runId(), e, machine::expired))
        .message(JobCommand.Cancel.class, e -> command("cancelled", machine::cancel))
        .async(JobCommand.Rerun.class, e -> rerun(state().job(), this::rerun))
        .message(JobCommand.Hold.class, e -> command("held", machine::hold))
        .message(JobCommand.Release.class, e -> command("released", machine::release))
        .message(JobCommand.Delete.class, this::delete)
        .message(JobCommand.Freed.class, freed -> freed(freed.host()))
        .message(JobCommand.LetGo.class, this::letGo)
        .async(JobCommand.Restore.class, this::restore)
        .message(JobCommand.DeleteArchived.class, this::deleteArchived)
        .message(JobCommand.RowGone.class, gone -> rowGone())
        .message(JobCommand.Forget.class, forget -> forget())
        .message(JobCommand.StillThere.class, e -> job(machine::stillThere))
        .message(JobCommand.TotalOver.class, e -> job(machine::totalElapsed));
  }

  @Override
  protected Future<?> started() {
    observeRecord();
    JobData job = state().job();
    if (job != null) {
      JobMachine.checkRun(job); // so that its mail waits, in order, for a node that knows
    }
    if (job != null && job.state() == JobState.CANCELLING) {
      startTimer(KILL, ASK_AGAIN, new JobCommand.StillThere());
    }
    return Future.succeededFuture();
  }

  /** Reports what the record says: the last life may have ended before it reported its change. */
  private void observeRecord() {
    JobData job = state().job();
    Tombstone tombstone = state().deleted();
    if (job != null) {
      observer.is(job.view());
    } else if (tombstone != null) {
      observer.remains(path().name(), tombstone);
    }
  }

  /** Reports a change that this turn commits: before the commit that it begins, then what it is. */
  private void changes(Runnable report) {
    Runnable known = observer.begins(path().name());
    afterCommit(
        () -> {
          report.run();
          known.run();
        });
  }

  private void submit(JobCommand.Submit e) {
    if (state().job() == null && state().deleted() == null) {
      Instant now = clock.instant();
      JobData job = machine.submitted(e, now);
      enqueue(job, now);
      is(job);
      startTotal(job);
    }
    answer();
  }

  private void granted(JobCommand.Granted e) {
    JobDecision decision = onRun(e.runId(), (job, now) -> machine.granted(job, e, now));
    if (decision != null && decision.rule().has(JobEffect.START)) {
      start(decision.now(), e);
    }
  }

  private void start(JobData job, JobCommand.Granted e) {
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
            e.term(),
            spec.timeouts().progress(),
            job.files() == null ? null : job.files().checkpoint(),
            spec.nice(),
            spec.type(),
            e.handler(),
            spec.args(),
            job.attempts() + 1));
  }

  private <E> void run(int runId, E message, Decide<E> decide) {
    var unused = onRun(runId, (job, now) -> decide.decide(job, message, now));
  }

  private void job(BiFunction<JobData, Instant, JobDecision> decide) {
    var unused = onJob(decide);
  }

  /** Decides a message about a run; without a job its slot is given back. */
  private @Nullable JobDecision onRun(int runId, BiFunction<JobData, Instant, JobDecision> decide) {
    JobData job = state().job();
    if (job == null) {
      giveBack(runId);
      return null;
    }
    JobDecision decision = decide.apply(job, clock.instant());
    if (decision.rule().has(JobEffect.GIVE_BACK)) {
      giveBack(runId);
    }
    carryOut(decision);
    return decision;
  }

  /** Decides a message that concerns the job as a whole, if there is one. */
  private @Nullable JobDecision onJob(BiFunction<JobData, Instant, JobDecision> decide) {
    JobData job = state().job();
    if (job == null) {
      return null;
    }
    JobDecision decision = decide.apply(job, clock.instant());
    carryOut(decision);
    return decision;
  }

  /** Decides an operator's command, and answers. */
  private void command(String participle, BiFunction<JobData, Instant, JobDecision> decide) {
    JobDecision decision = onJob(decide);
    if (decision != null && decision.rule().has(JobEffect.REFUSE)) {
      refuse(decision.job(), participle);
    } else {
      answer();
    }
  }

  private void carryOut(JobDecision decision) {
    JobTransition rule = decision.rule();
    JobData now = decision.now();
    if (rule.has(JobEffect.WITHDRAW)) {
      tell(gate(), new GateCommand.Withdraw(now.id(), now.spec().type()));
    }
    if (rule.has(JobEffect.ENQUEUE)) {
      enqueue(now, clock.instant());
    }
    if (decision.next() != null) {
      is(decision.next());
    }
    if (rule.has(JobEffect.TELL_END) && now.listener() != null) {
      tell(now.listener(), now.end());
    }
    if (rule.has(JobEffect.START_TOTAL)) {
      startTotal(now);
    }
    if (rule.has(JobEffect.KILL)) {
      kill(now, rule == JobTransition.TOTAL_KILL);
    }
    if (rule.has(JobEffect.LET_GO)) {
      recordGoes(now);
    }
  }

  /** Kills the open run, again and again until its host has reported its end. */
  private void kill(JobData job, boolean overdue) {
    JobRun run = job.lastRun();
    if (run != null) {
      String why = overdue ? JobMachine.totalElapsed(job) : "cancelled";
      tell(
          monitor(run.host()),
          new MonitorCommand.Kill(job.id() + "/" + run.runId(), why, run.boot()));
      startDurableTimer(
          overdue ? TOTAL : KILL,
          ASK_AGAIN,
          overdue ? new JobCommand.TotalOver() : new JobCommand.StillThere());
    }
  }

  private void startTotal(JobData job) {
    Duration total = job.spec().timeouts().total();
    if (total != null) {
      startDurableTimer(TOTAL, Time.atMostLongest(total), new JobCommand.TotalOver());
    }
  }

  /** Returns whether the job has no record any more, and was not deleted. */
  private boolean hasGone() {
    Tombstone tombstone = state().deleted();
    return state().job() == null && (tombstone == null || tombstone.letGo() != null);
  }

  private Future<?> restore(JobCommand.Restore e) {
    return hasGone()
        ? rerun(
            e.job(),
            () -> {
              carryOut(machine.rerun(e.job(), clock.instant()));
              answer();
            })
        : rerun(state().job(), this::rerun);
  }

  private void rerun() {
    command("run again", machine::rerun);
  }

  /**
   * Runs a job again once it has its unique key. The key is claimed in this turn, so that a
   * submission that looks at the job meanwhile sees it run.
   */
  private Future<?> rerun(@Nullable JobData job, Runnable again) {
    if (job == null || job.spec().uniqueKey() == null || !job.state().terminal()) {
      again.run();
      return Future.succeededFuture();
    }
    return inTurn(claimAgain.apply(job))
        .transform(
            claimed -> {
              if (claimed.succeeded()) {
                again.run();
              } else {
                reply(
                    new JobAnswer.Refused(
                        claimed.cause() instanceof JobException e
                            ? e.code()
                            : JobException.Code.UNAVAILABLE,
                        String.valueOf(claimed.cause().getMessage())));
              }
              return Future.succeededFuture();
            });
  }

  private void deleteArchived(JobCommand.DeleteArchived e) {
    if (hasGone()) {
      delete(e.job(), true);
    } else if (state().job() == null) { // it is deleted, its row was not
      reply(new JobAnswer.Is(e.job()));
    } else {
      delete(new JobCommand.Delete(e.at(), true));
    }
  }

  private void letGo(JobCommand.LetGo e) {
    if (state().job() == null && state().deleted() == null) {
      gone(e.version()); // already, which was not reported: nothing of this message is to stay
    } else {
      job((job, now) -> machine.letGo(job, e, now));
    }
  }

  /** Removes the record of the job; what an idempotency key needs stays for as long as that. */
  private void recordGoes(JobData job) {
    freeUniqueKey(job);
    if (Boolean.FALSE.equals(job.keyed()) && job.spec().uniqueKey() == null) {
      gone(job.version());
    } else {
      remains(Tombstone.letGo(job, clock.instant()));
    }
  }

  private void freeUniqueKey(JobData job) {
    String key = job.spec().uniqueKey();
    if (key != null) {
      tell(
          callboard().durableRef(JobKey.path(JobKey.UNIQUE, key), JobKey.Claim.class),
          JobKey.Claim.release(job.id(), null));
    }
  }

  private void delete(JobCommand.Delete e) {
    JobDecision decision = onJob(machine::delete);
    if (decision == null) {
      answer();
    } else if (decision.rule().has(JobEffect.DELETE)) {
      delete(decision.now(), Boolean.TRUE.equals(e.hasRow()));
    } else {
      refuse(decision.job(), "deleted before it has ended");
    }
  }

  private void rowGone() {
    Tombstone tombstone = state().deleted();
    if (tombstone != null) {
      remains(tombstone.rowGone());
    } else {
      goneBefore();
    }
  }

  /** Deletes the job; its hosts delete the files of its runs, at once or when they are back. */
  private void delete(JobData job, boolean hasRow) {
    freeUniqueKey(job);
    Tombstone tombstone = Tombstone.of(job, clock.instant(), hasRow);
    reply(new JobAnswer.Is(job));
    remains(tombstone);
  }

  private void freed(String host) {
    Tombstone tombstone = state().deleted();
    if (tombstone == null) {
      goneBefore();
    } else if (tombstone.hosts().contains(host)) {
      remains(tombstone.freed(host));
    }
  }

  private void forget() {
    Tombstone tombstone = state().deleted();
    if (tombstone == null) {
      goneBefore();
    } else {
      remains(tombstone);
    }
  }

  /**
   * Reports once more that nothing is left, if that is so: whoever speaks of a tombstone has not
   * heard it, as the life that removed it ended before its report. Nothing of the message stays.
   */
  private void goneBefore() {
    if (state().job() == null) {
      gone(0);
    }
  }

  private void remains(Tombstone tombstone) {
    if (tombstone.isOver(clock.instant())) {
      gone(tombstone.letGo() == null ? Long.MAX_VALUE : tombstone.letGo());
    } else {
      update(new Slot(null, tombstone));
      changes(() -> observer.remains(path().name(), tombstone));
    }
  }

  private void gone(long version) {
    deleteSelf();
    changes(() -> observer.gone(path().name(), version));
  }

  private void enqueue(JobData job, Instant now) {
    Duration limit = job.spec().timeouts().queue();
    Instant notBefore = job.nextAttemptAt();
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
            limit == null ? null : from.plus(limit),
            job.spec().labels().isEmpty() ? null : job.spec().labels(),
            job.spec().requires(),
            job.unreadableAt()));
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
    changes(() -> observer.is(job.view()));
    if (job.spec().timeouts().total() != null && job.state().terminal()) {
      cancelDurableTimer(TOTAL);
    }
  }

  private void answer() {
    JobData job = state().job();
    if (job == null && state().deleted() != null) {
      reply(
          new JobAnswer.Refused(
              JobException.Code.ILLEGAL_STATE,
              "job %s %s"
                  .formatted(
                      path().name(),
                      state().deleted().letGo() == null
                          ? "was deleted"
                          : "has ended, and its record is not kept any more")));
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
