package io.callboard.jobs;

import io.callboard.ActorOptions;
import io.callboard.Broadcast;
import io.callboard.Callboard;
import io.callboard.CallboardException;
import io.callboard.cell.CellListener;
import io.callboard.jobs.actor.Gate;
import io.callboard.jobs.actor.HostDrain;
import io.callboard.jobs.actor.HostMonitor;
import io.callboard.jobs.actor.HostRuns;
import io.callboard.jobs.actor.JobActor;
import io.callboard.jobs.actor.JobKey;
import io.callboard.jobs.actor.JobNews;
import io.callboard.jobs.model.Blocked;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobCounts;
import io.callboard.jobs.model.JobEvent;
import io.callboard.jobs.model.JobException;
import io.callboard.jobs.model.JobException.Code;
import io.callboard.jobs.model.JobHost;
import io.callboard.jobs.model.JobPage;
import io.callboard.jobs.model.JobQuery;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.JobsOptions;
import io.callboard.jobs.model.Submission;
import io.callboard.jobs.process.ProcessRunner;
import io.callboard.jobs.process.files.LogLimits;
import io.callboard.jobs.process.files.RunDirectories;
import io.callboard.jobs.process.run.KillReport;
import io.callboard.jobs.process.run.RunHome;
import io.callboard.jobs.process.run.RunKey;
import io.callboard.jobs.protocol.GateCommand;
import io.callboard.jobs.protocol.JobCommand;
import io.callboard.jobs.protocol.JobData;
import io.callboard.jobs.protocol.MonitorCommand;
import io.callboard.store.StoreException;
import io.callboard.zone.ZoneDefaults;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The job scheduler as its users see it; one object on each node that takes part.
 *
 * <p>Built of actors that use only Callboard's public API: one per job, the {@link Gate}, a {@link
 * HostMonitor} per host. Methods return at once; futures fail with {@link JobException}.
 */
public final class Jobs {
  /** Job records kept in all; more are refused. As many may be deleted and not quite gone. */
  public static final int MOST_JOBS = 100_000;

  private static final Logger log = LoggerFactory.getLogger(Jobs.class);
  static final Duration ASK = Duration.ofSeconds(10);

  private final Callboard callboard;
  private final JobsOptions options;
  private final ProcessRunner processes;
  private final RunDirectories directories;
  private final HostRuns runs;
  private final OrphanedRuns left;
  private final Clock clock;
  private final GateClient gate;
  private final JobClient jobs;
  private final Submissions submissions;
  private final Broadcast<JobNews> news;
  private final RunCleanup cleanup;
  private final IndexFeed feed;
  private final JobLogs logs;
  private final KeySweep keys;
  private final JobIndex index = new JobIndex();
  private volatile Runnable unsubscribe = () -> {};

  private Jobs(
      Callboard callboard,
      JobsOptions options,
      ProcessRunner processes,
      RunDirectories directories,
      OrphanedRuns left) {
    this.callboard = callboard;
    this.options = options;
    this.processes = processes;
    this.directories = directories;
    this.left = left;
    this.clock = callboard.time().clock();
    this.runs = new HostRuns(callboard, processes, directories, options.slots(), clock);
    this.gate = new GateClient(callboard);
    this.jobs = new JobClient(callboard, index);
    this.news = JobNews.of(callboard);
    this.cleanup = new RunCleanup(callboard, processes, directories, clock);
    this.feed = new IndexFeed(callboard, index, IndexFeed.SETTLE, cleanup::found);
    this.logs = new JobLogs(callboard, this);
    this.keys = new KeySweep(callboard, index, clock);
    this.submissions =
        new Submissions(
            jobs,
            gate,
            callboard,
            index,
            options.queueLimit(),
            new JobIds(clock, callboard.random()),
            clock);
  }

  /**
   * Takes part in the cell's scheduler: first kills what earlier boots of this node left running
   * and reports the outcomes that were not reported, then offers its slots.
   */
  public static Future<Jobs> start(Callboard callboard, JobsOptions options) {
    RunHome home =
        new RunHome(options.data(), options.homeId(), callboard.bootId(), callboard.node());
    RunDirectories directories = new RunDirectories(home, LogLimits.DEFAULT);
    return ProcessRunner.open(callboard.vertx(), home, LogLimits.DEFAULT, callboard.time().clock())
        .map(
            processes ->
                new Jobs(
                    callboard,
                    options,
                    processes,
                    directories,
                    new OrphanedRuns(callboard, home, directories)))
        .compose(jobs -> jobs.open().map(jobs));
  }

  private Future<Void> open() {
    return callboard
        .host(
            JobActor.PREFIX,
            () -> new JobActor(clock, callboard.random(), this::publish),
            own().onBus(false))
        .compose(v -> callboard.host(JobKey.PREFIX, JobKey::new, own().onBus(false)))
        .compose(
            v -> {
              listen();
              return left.settle();
            })
        .compose(v -> callboard.spawn(Gate.PATH, Gate::new, own().onBus(false)))
        .compose(
            v ->
                callboard.spawn(
                    HostMonitor.path(callboard.node()),
                    () -> new HostMonitor(runs, directories),
                    own()))
        .compose(v -> feed.start())
        .onSuccess(v -> keys.start());
  }

  /** What jobs need does not depend on what users' actors do to their threads. */
  private static ActorOptions own() {
    return new ActorOptions().zone(ZoneDefaults.TOOLKIT);
  }

  /** What is lost is found with the next reading of all jobs. */
  private void publish(String job, JobNews what) {
    news.publish(job, what)
        .onFailure(
            cause ->
                log.warn(
                    "other nodes see the change of job {} only with their next reading of all jobs",
                    job,
                    cause));
  }

  private void listen() {
    callboard.listen(
        new CellListener() {
          @Override
          public void membersChanged() {
            feed.membersChanged();
          }

          @Override
          public void sessionLives(long untilNanos) {
            boolean tookRuns = processes.takesRuns();
            processes.mayRunUntil(untilNanos);
            if (!tookRuns) {
              reportNow();
            }
          }

          @Override
          public void sessionLost() {
            fence();
            reportNow();
          }
        });
    unsubscribe =
        news.subscribe(
            what -> {
              if (what instanceof JobNews.GateStarted) {
                reportNow();
              }
            });
  }

  private void reportNow() {
    callboard
        .ref(HostMonitor.path(callboard.node()), MonitorCommand.class)
        .tell(new MonitorCommand.Report())
        .onFailure(cause -> log.debug("the host monitor is not running yet", cause));
  }

  /** Others may run this host's jobs again by now: what runs here must end. */
  private void fence() {
    log.warn("the ZooKeeper session of this node is lost: all job runs of this host are killed");
    killAll("its host lost its session")
        .onFailure(
            cause ->
                log.error(
                    "job runs of this host could not be killed and may still be alive", cause));
  }

  private Future<Void> killAll(String why) {
    return processes.killAll(why).mapEmpty();
  }

  /**
   * Instead of {@link #close} when the store is gone for good, so nothing can be reported: kills
   * every run of this host; the next start reports them lost.
   */
  public Future<Void> abandon() {
    return killAll("its node lost its store");
  }

  /** {@link #submit(JobSpec, String)} without a key of the request. */
  public Future<Submission> submit(JobSpec spec) {
    return submit(spec, null);
  }

  /**
   * Submits a job. When the future succeeds the job is durable.
   *
   * @param idempotencyKey of the request: a second submission with it is the first; null for none
   */
  public Future<Submission> submit(JobSpec spec, @Nullable String idempotencyKey) {
    return submissions.submit(spec, idempotencyKey);
  }

  /** Fails with {@code NOT_FOUND} if there is none. */
  public Future<Job> job(String id) {
    return jobs.stored(id).map(JobData::view);
  }

  /** Jobs as of a moment ago; throws {@link JobException} for a cursor that is none. */
  public JobPage list(JobQuery query) {
    return index.list(query);
  }

  public Future<Job> cancel(String id) {
    return jobs.askStored(id, new JobCommand.Cancel(now()));
  }

  /** It takes its unique key again: refused if another job holds it that has not ended. */
  public Future<Job> rerun(String id) {
    return jobs.stored(id)
        .compose(submissions::claimAgain)
        .compose(claimed -> jobs.ask(id, new JobCommand.Rerun(now())));
  }

  public Future<Job> hold(String id) {
    return jobs.askStored(id, new JobCommand.Hold(now()));
  }

  public Future<Job> release(String id) {
    return jobs.askStored(id, new JobCommand.Release(now()));
  }

  /**
   * Deletes a job that has ended, with what its runs left on their hosts: at once on those that are
   * there, on others when they are back. Completes with the job as it was.
   */
  public Future<Job> delete(String id) {
    if (index.tombstones() >= MOST_JOBS) {
      return fail(
          Code.OVERLOADED,
          "records of %d deleted jobs are kept already, which is the limit: they are kept for a day and until their hosts have deleted the files of their runs"
              .formatted(MOST_JOBS));
    }
    return jobs.stored(id)
        .compose(job -> jobs.answer(id, new JobCommand.Delete(now())))
        .map(JobData::view)
        .onSuccess(job -> index.deleted(id));
  }

  public Future<List<JobType>> types() {
    return gate.types();
  }

  /** Fails with {@code NOT_FOUND}; the message names the types there are. */
  public Future<JobType> type(String name) {
    return gate.type(name);
  }

  /** Makes or changes a type; a lower limit kills nothing, it waits for runs to end. */
  public Future<JobType> putType(JobType type) {
    return gate.put(type);
  }

  public Future<JobType> pause(String type) {
    return gate.pause(type, true);
  }

  public Future<JobType> resume(String type) {
    return gate.pause(type, false);
  }

  /** Every reason why the job does not run; empty while it runs and its host reports it. */
  public Future<List<Blocked>> why(String id) {
    return job(id)
        .compose(
            job ->
                switch (job.state()) {
                  case QUEUED,
                      SCHEDULED,
                      RETRY_WAIT,
                      BLOCKED,
                      ADMITTED,
                      RUNNING,
                      SUSPECT,
                      CANCELLING ->
                      gate.why(id);
                  case HELD ->
                      Future.succeededFuture(
                          List.of(new Blocked("held", "it is held", null, null, null, null)));
                  default ->
                      Future.succeededFuture(
                          List.of(
                              new Blocked(
                                  "ended",
                                  "it has ended: " + job.state(),
                                  null,
                                  null,
                                  null,
                                  null)));
                });
  }

  public Future<List<JobEvent>> events(String id) {
    return jobs.stored(id).map(JobData::events);
  }

  /** What runs printed. */
  public JobLogs logs() {
    return logs;
  }

  public Future<List<JobHost>> hosts() {
    return gate.hosts();
  }

  /** The paths of the scheduler's own actors that each node has, whether it runs them or not. */
  public List<String> actors() {
    return List.of(Gate.PATH, HostMonitor.path(callboard.node()));
  }

  /** Why this host could start nothing when it tried last; empty if nothing says that it cannot. */
  public Optional<String> hostFault() {
    return runs.fault();
  }

  public JobCounts counts() {
    return index.counts();
  }

  /**
   * Calls {@code listener}, on an event loop, with each job that changed.
   *
   * @return ends it
   */
  public Runnable onChange(Consumer<Job> listener) {
    return index.onChange(listener);
  }

  /**
   * Calls {@code listener}, on any thread, with each job that was deleted, as it was.
   *
   * @return ends it
   */
  public Runnable onRemoval(Consumer<Job> listener) {
    return index.onRemoval(listener);
  }

  /**
   * Takes no more runs until this is closed, and waits for those under way.
   *
   * @param limit of the wait, which ends at once if there are none
   * @param waiting called once with their number if there are any
   * @return completes with the number of those that are left
   */
  public Future<Integer> drain(Duration limit, IntConsumer waiting) {
    return new HostDrain(callboard, runs, this::hosts, limit, waiting).start();
  }

  /**
   * Takes no more runs; those that are left are killed, then reported lost, so that they run again
   * elsewhere or later.
   */
  public Future<Void> close() {
    feed.close();
    keys.close();
    cleanup.close();
    Set<RunKey> killed = new TreeSet<>(Comparator.comparing(RunKey::toString));
    unsubscribe.run();
    return withdraw()
        .eventually(() -> kill(killed))
        .eventually(() -> callboard.stop(HostMonitor.path(callboard.node())))
        .eventually(() -> left.settle(killed, now()))
        .otherwise(
            cause -> {
              log.warn(
                  "the killed runs of this host could not be reported as lost; the next start of the node reports them: {}",
                  cause.toString());
              return null;
            });
  }

  /** No slots: what is lost here is not granted to here again. */
  private Future<Void> withdraw() {
    return callboard
        .durableRef(Gate.PATH, GateCommand.class)
        .tell(runs.report(0))
        .timeout(ASK.toMillis() / 2, TimeUnit.MILLISECONDS);
  }

  /** From now on the monitor reports nothing of them; completes when no process of them is left. */
  private Future<Void> kill(Set<RunKey> killed) {
    killed.addAll(processes.live());
    return processes
        .close("its node stops")
        .<Void>map(
            reports -> {
              for (KillReport report : reports) {
                if (report.outcome() == KillReport.Outcome.KILL_FAILED) {
                  log.error(
                      "run {} could not be killed and may be alive: it is not reported as lost",
                      report.key());
                  killed.remove(report.key());
                }
              }
              return null;
            });
  }

  private Instant now() {
    return clock.instant();
  }

  static <T> Future<T> fail(Code code, String message) {
    return Future.failedFuture(new JobException(code, message));
  }

  static <T> Future<T> translate(Throwable cause) {
    boolean damage =
        cause instanceof StoreException store && store.kind() == StoreException.Kind.CORRUPT;
    if (damage || cause instanceof JobException) {
      return Future.failedFuture(cause);
    }
    Code code =
        cause instanceof CallboardException ours
                && ours.code() == CallboardException.Code.MAILBOX_FULL
            ? Code.OVERLOADED
            : Code.UNAVAILABLE;
    return fail(code, String.valueOf(cause.getMessage()));
  }
}
