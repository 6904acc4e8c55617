package io.callboard.jobs;

import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.archive.JobHistory;
import io.callboard.jobs.internal.actor.Gate;
import io.callboard.jobs.internal.actor.HostDrain;
import io.callboard.jobs.internal.actor.HostMonitor;
import io.callboard.jobs.internal.actor.HostRuns;
import io.callboard.jobs.internal.actor.JobActor;
import io.callboard.jobs.internal.actor.JobKey;
import io.callboard.jobs.internal.actor.JobNews;
import io.callboard.jobs.internal.actor.JobSupervision;
import io.callboard.jobs.internal.actor.TypeBacklog;
import io.callboard.jobs.internal.archiving.ArchivedJobs;
import io.callboard.jobs.internal.archiving.Archiver;
import io.callboard.jobs.internal.archiving.Archivist;
import io.callboard.jobs.internal.archiving.OldRunFiles;
import io.callboard.jobs.internal.archiving.TypeRetentions;
import io.callboard.jobs.internal.call.HandlerRunner;
import io.callboard.jobs.internal.files.HostFiles;
import io.callboard.jobs.internal.files.JobDirectories;
import io.callboard.jobs.internal.files.LogLimits;
import io.callboard.jobs.internal.files.RunDirectories;
import io.callboard.jobs.internal.files.RunHome;
import io.callboard.jobs.internal.index.CellIndex;
import io.callboard.jobs.internal.index.IndexActor;
import io.callboard.jobs.internal.process.OrphanSweep;
import io.callboard.jobs.internal.process.ProcessRunner;
import io.callboard.jobs.internal.runner.Runner;
import io.callboard.jobs.internal.runner.StartPermits;
import io.callboard.jobs.model.ArchiveStatus;
import io.callboard.jobs.model.GateLoad;
import io.callboard.jobs.model.JobsOptions;
import io.callboard.jobs.model.TroubledRun;
import io.callboard.jobs.model.TypeView;
import io.callboard.journal.SnapshotPolicy;
import io.callboard.zone.ZoneDefaults;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One node's part in the cell's scheduler, put together: makes its parts and wires them by their
 * constructors, opens and closes them in order.
 */
final class JobsNode {
  private static final Logger log = LoggerFactory.getLogger(JobsNode.class);

  /** Snapshots of gate and backlogs, whose states are large and whose events are small. */
  private static final SnapshotPolicy SNAPSHOTS = SnapshotPolicy.every(5_000).orBytes(4 << 20);

  /** Idle time after which the actor of a job leaves memory: in a flood there are very many. */
  private static final Duration JOB_IDLE = Duration.ofSeconds(20);

  private final Callboard callboard;
  private final JobsOptions options;
  private final @Nullable JobHistory history;
  private final Clock clock;
  private final Runner runner;
  private final Handlers handlers;
  private final HostFiles files;
  private final HostRuns runs;
  private final OrphanedRuns left;
  private final SessionFence session;
  private final GateReports reports;
  private final GateClient gate;
  private final TypeRetentions retentions;
  private final DeletedJobFiles cleanup;
  private final CellIndex index;
  private final KeySweep keys;
  private final OldRunFiles fileSweep;
  private final Submissions submissions;
  private final JobLists lists;
  private final JobActions actions;
  private final JobReasons reasons;
  private final AtomicReference<@Nullable Archiver> archiver = new AtomicReference<>();

  private JobsNode(
      Callboard callboard,
      JobsOptions options,
      @Nullable JobHistory history,
      ProcessRunner processRunner,
      StartPermits permits,
      RunHome home,
      RunDirectories directories,
      OrphanedRuns left,
      Duration listsPause) {
    ArchivedJobs archived = new ArchivedJobs(history, callboard.time(), listsPause);
    this.callboard = callboard;
    this.options = options;
    this.history = history;
    HandlerRunner handlerRunner = new HandlerRunner(callboard, home, LogLimits.DEFAULT, permits);
    this.runner = new HostRunners(processRunner, handlerRunner);
    this.files = new HostRunFiles(directories, handlerRunner);
    this.left = left;
    this.clock = callboard.time().clock();
    this.runs =
        new HostRuns(
            callboard,
            callboard.node(),
            runner,
            files,
            options.slots(),
            handlerRunner::slots,
            clock);
    this.reports = new GateReports(callboard, runs::sendReport);
    this.gate = new GateClient(callboard);
    this.handlers =
        new Handlers(
            callboard,
            handlerRunner,
            () -> reports.repeat().compose(v -> reports.requireReader()),
            gate);
    this.retentions =
        new TypeRetentions(
            () -> reports.requireReader().compose(v -> gate.types()), callboard.time());
    this.cleanup = new DeletedJobFiles(callboard, runner, directories);
    this.index = new CellIndex(callboard, cleanup::delete, this::notGone, null);
    this.lists = new JobLists(index, archived);
    JobClient jobs = new JobClient(callboard, index.here()::answered);
    this.session = new SessionFence(callboard, runner, JobNews.of(callboard));
    this.keys = new KeySweep(callboard, index.here()::owned, clock);
    this.fileSweep =
        new OldRunFiles(
            callboard,
            runner,
            directories,
            new JobDirectories(home),
            index.peers()::known,
            history == null ? OldRunFiles.KEPT : options.retention().files(),
            options.retention().logs(),
            retentions,
            clock);
    this.submissions =
        new Submissions(
            jobs,
            archived,
            gate,
            callboard,
            index.tally(),
            handlers,
            options.queueLimit(),
            new JobIds(clock, callboard.random(), index.here()::isOwned),
            clock);
    this.actions = new JobActions(jobs, archived, index, clock);
    this.reasons = new JobReasons(callboard, gate, actions::known);
  }

  /**
   * See {@link Jobs#part}.
   *
   * @param listsPause time for which lists do without the database after it did not answer
   */
  static Future<JobsNode> start(
      Callboard callboard,
      RunHome home,
      JobsOptions options,
      @Nullable JobHistory history,
      Duration listsPause) {
    RunDirectories directories = new RunDirectories(home, LogLimits.DEFAULT);
    StartPermits permits = new StartPermits();
    return ProcessRunner.open(
            callboard.vertx(), home, LogLimits.DEFAULT, callboard.time().clock(), permits)
        .map(
            processes ->
                new JobsNode(
                    callboard,
                    options,
                    history,
                    processes,
                    permits,
                    home,
                    directories,
                    new OrphanedRuns(callboard, new OrphanSweep(home)::run, directories),
                    listsPause))
        .compose(node -> node.open().map(node));
  }

  private Future<Void> open() {
    return index
        .start(own())
        .compose(
            v -> {
              session.listen();
              return left.settle();
            })
        .compose(
            v -> // before the jobs, whose outboxes may hold starts for an earlier boot of this host
            callboard.spawn(
                    HostMonitor.path(callboard.node()),
                    () -> new HostMonitor(runs, files, handlers::answer, reports::repeat),
                    own()))
        .compose(v -> options.schedules() ? hostScheduler() : Future.succeededFuture())
        .onSuccess(v -> keys.start())
        .onSuccess(v -> fileSweep.start());
  }

  private Future<Void> hostScheduler() {
    return hostJobs().compose(v -> hostGate()).compose(v -> hostArchivist());
  }

  private Future<Void> hostJobs() {
    return callboard
        .host(
            JobActor.PREFIX,
            () -> new JobActor(clock, callboard.random(), index, submissions::claimAgain),
            own().onBus(false).passivateAfter(JOB_IDLE).supervision(JobSupervision.options()))
        .compose(v -> callboard.host(JobKey.PREFIX, JobKey::new, own().onBus(false)));
  }

  private Future<Void> hostGate() {
    ActorOptions own = own().onBus(false).snapshots(SNAPSHOTS);
    return callboard
        .host(TypeBacklog.PREFIX, TypeBacklog::new, own)
        .compose(v -> callboard.spawn(Gate.PATH, Gate::new, own))
        .mapEmpty();
  }

  private Future<Void> hostArchivist() {
    return callboard
        .spawn(Archivist.PATH, () -> new Archivist(newArchiver()), own().onBus(false))
        .mapEmpty();
  }

  /** Returns the runs of this host, of any boot, that are not gone after a kill. */
  private List<TroubledRun> notGone() {
    return Stream.concat(left.notGone().stream(), runs.notGone().stream()).toList();
  }

  /** Returns a new archiver, for one life of the archivist here. */
  private Archiver newArchiver() {
    Archiver made =
        new Archiver(callboard, index.peers(), history, options.retention(), retentions, clock);
    archiver.set(made);
    return made;
  }

  /** Returns the options of the scheduler's actors, whose threads users' actors cannot occupy. */
  private static ActorOptions own() {
    return new ActorOptions().zone(ZoneDefaults.TOOLKIT);
  }

  GateClient gate() {
    return gate;
  }

  /** Returns {@link Jobs#loads} for callers that repeat the question. */
  Future<Map<TypeView, GateLoad>> loads() {
    return reports.requireReader().compose(v -> gate.loads());
  }

  Handlers handlers() {
    return handlers;
  }

  Submissions submissions() {
    return submissions;
  }

  JobActions actions() {
    return actions;
  }

  CellIndex index() {
    return index;
  }

  JobLists lists() {
    return lists;
  }

  JobReasons reasons() {
    return reasons;
  }

  /** See {@link Jobs#actors}. */
  List<String> actors() {
    List<String> ofHost =
        List.of(HostMonitor.path(callboard.node()), IndexActor.path(callboard.node()));
    return options.schedules()
        ? Stream.concat(Stream.of(Gate.PATH, Archivist.PATH), ofHost.stream()).toList()
        : ofHost;
  }

  /** See {@link Jobs#hostFault}. */
  Optional<String> hostFault() {
    return runs.fault();
  }

  /** See {@link Jobs#archive}. */
  boolean hasArchive() {
    return history != null;
  }

  Optional<ArchiveStatus> archive() {
    return Optional.ofNullable(archiver.get()).filter(Archiver::runs).map(Archiver::status);
  }

  /** See {@link Jobs#abandon}. */
  Future<Void> abandon() {
    return runner.killAll("its node lost its store").mapEmpty();
  }

  /** See {@link Jobs#drain}. */
  Future<Integer> drain(Duration limit, IntConsumer waiting) {
    return new HostDrain(callboard, runs, gate::hosts, limit, waiting).start();
  }

  /**
   * Closes the parts: the runs end, then the partitions are handed over, and only then the index
   * stops, which answers for them meanwhile. See {@link Jobs#close}.
   */
  Future<Void> close() {
    reports.close();
    handlers.close();
    keys.close();
    fileSweep.close();
    cleanup.close();
    left.close();
    session.close();
    return new HostStop(callboard, runs, runner, left, clock)
        .start()
        .onComplete(stopped -> runs.close())
        .eventually(index::leave)
        .eventually(index::close)
        .otherwise(
            cause -> {
              log.warn(
                  "the killed runs of this host could not be reported as lost; the next start of"
                      + " the node reports them: {}",
                  cause.toString());
              return null;
            });
  }
}
