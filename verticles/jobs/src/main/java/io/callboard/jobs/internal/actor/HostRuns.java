package io.callboard.jobs.internal.actor;

import io.callboard.Callboard;
import io.callboard.jobs.internal.files.HostFiles;
import io.callboard.jobs.internal.protocol.GateCommand;
import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.internal.protocol.MonitorCommand;
import io.callboard.jobs.internal.runner.KillReport;
import io.callboard.jobs.internal.runner.Run;
import io.callboard.jobs.internal.runner.RunException;
import io.callboard.jobs.internal.runner.RunKey;
import io.callboard.jobs.internal.runner.RunRequest;
import io.callboard.jobs.internal.runner.RunRequest.HandlerCall;
import io.callboard.jobs.internal.runner.RunResult;
import io.callboard.jobs.internal.runner.Runner;
import io.callboard.jobs.model.RunOutput;
import io.callboard.jobs.model.TroubledRun;
import io.callboard.supervision.Causes;
import io.callboard.task.BackgroundTasks;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs of this host, from their grants until their jobs know how they ended. One object a boot: it
 * outlives its {@link HostMonitor}, so that a restart of that actor forgets no run, no deadline and
 * no outcome. Any thread.
 */
public final class HostRuns {
  private static final Logger log = LoggerFactory.getLogger(HostRuns.class);

  private final Callboard callboard;
  private final String host;
  private final Runner runner;
  private final HostFiles files;
  private final int slots;
  private final Supplier<Map<String, Integer>> handlers;
  private final Clock clock;

  private final BackgroundTasks tasks;

  /** Context of no actor, so that an actor's end does not end the work. */
  private final Context context;

  /** Runs here, each from the request to start it until its job has been sent the outcome. */
  private final Set<RunKey> here = ConcurrentHashMap.newKeySet();

  /** Runs of {@link #here} that have ended. */
  private final Set<RunKey> ended = ConcurrentHashMap.newKeySet();

  /** Runs of which processes were left after the last kill. */
  private final Map<RunKey, TroubledRun> failedKills = new ConcurrentHashMap<>();

  private final AtomicLong reports = new AtomicLong();

  private volatile boolean draining;

  private final HostStarts starts;
  private final RunOutcomes outcomes;
  private final RunWatch watch;
  private final RunInspection inspection;

  /**
   * Creates the table of runs of a node's own host, which has the name of the node.
   *
   * @param slots runs that it takes at once
   */
  public HostRuns(Callboard callboard, Runner runner, HostFiles files, int slots, Clock clock) {
    this(callboard, callboard.node(), runner, files, slots, Map::of, clock);
  }

  /**
   * Creates the table of runs of a host.
   *
   * @param host name of the host; its node must publish one that is not its own, see {@link
   *     HostNames}
   * @param slots processes that it takes at once
   * @param handlers handlers that it offers, each with the runs that it takes at once
   */
  public HostRuns(
      Callboard callboard,
      String host,
      Runner runner,
      HostFiles files,
      int slots,
      Supplier<Map<String, Integer>> handlers,
      Clock clock) {
    this.callboard = callboard;
    this.host = host;
    this.runner = runner;
    this.files = files;
    this.slots = slots;
    this.handlers = handlers;
    this.clock = clock;
    this.tasks = callboard.tasks("the runs of this host");
    this.context = tasks.context();
    this.starts = new HostStarts(callboard, host, runner, context, this::sendReport);
    this.outcomes =
        new RunOutcomes(
            callboard,
            context,
            files,
            runner::isClosed,
            run -> ended.contains(run) || !here.contains(run),
            this::outcomeKnown);
    this.watch =
        new RunWatch(callboard, context, files, outcomes::toJob, runner::isClosed, this::idle);
    this.inspection =
        new RunInspection(callboard, host, runner, watch, ended::contains, this::disown);
    runner.onFailedKill(this::killFailed);
  }

  /**
   * Returns a report of the runs that are here; a run of this or an earlier term that is not listed
   * never starts.
   */
  GateCommand.Report report() {
    long number = reports.incrementAndGet(); // first: what has a greater one knows no less
    boolean takes = runner.takesRuns() && !draining;
    return report(number, takes ? starts.slots(slots, here.size()) : 0, takes);
  }

  /**
   * Offers no slots any more; what was granted before still starts. Completes when the gate is
   * certain to learn it before any later question.
   */
  Future<Void> drain() {
    draining = true;
    return sendReport();
  }

  /** Returns the number of requested runs whose jobs do not know their ends yet. */
  int count() {
    return here.size();
  }

  /** Returns the name of the host. */
  String host() {
    return host;
  }

  boolean isClosed() {
    return runner.isClosed();
  }

  /**
   * Returns why this host cannot start runs: a start hangs, or the last one failed; empty if there
   * is no sign of that.
   */
  public Optional<String> fault() {
    return starts.fault().map(HostFitness.Fault::why);
  }

  /** Returns a report that offers nothing. */
  public GateCommand.Report reportWithoutSlots() {
    return report(reports.incrementAndGet(), 0, false);
  }

  private GateCommand.Report report(long number, int offered, boolean takes) {
    Map<String, Integer> offers = new TreeMap<>(handlers.get());
    if (!takes) {
      offers.replaceAll((handler, its) -> 0);
    }
    int term = runner.term(); // before the runs: those that end with a term may still be listed
    List<String> endedRuns = ended.stream().map(RunKey::toString).toList(); // before all of them
    List<String> runs = here.stream().map(RunKey::toString).sorted().toList();
    Map<String, Instant> quiet = watch.quiet();
    Optional<HostFitness.Fault> fault = starts.fault();
    return new GateCommand.Report(
        host,
        callboard.bootId(),
        offered,
        runs,
        clock.instant(),
        term,
        number,
        fault.map(HostFitness.Fault::why).orElse(null),
        endedRuns.isEmpty() ? null : endedRuns,
        quiet.isEmpty() ? null : quiet,
        fault.map(HostFitness.Fault::since).orElse(null),
        offers.isEmpty() ? null : offers);
  }

  void start(MonitorCommand.Start start) {
    if (!start.boot().equals(callboard.bootId())) {
      log.warn(
          "ignored the start of run {}/{}: it was granted to an earlier boot of this host",
          start.job(),
          start.runId());
      return;
    }
    context.runOnContext(v -> begin(start));
  }

  private void begin(MonitorCommand.Start start) {
    RunKey key = new RunKey(start.job(), start.runId());
    if (!here.add(key)) {
      log.warn("ignored a second request to start run {}: it is running", key);
      return;
    }
    RunRequest request;
    try {
      request =
          new RunRequest(
              key,
              start.command(),
              start.env(),
              start.epoch(),
              start.checkpoint(),
              start.runTimeout(),
              start.nice() == null ? 0 : start.nice(),
              start.type(),
              call(start));
    } catch (RunException | IllegalArgumentException e) {
      sendOutcome(key, refused(key, e));
      return;
    }
    if (request.call() == null) { // a call that waits for a thread says nothing of the host
      starts.begins(key);
    }
    runner
        .start(request, start.term() == null ? 0 : start.term())
        .onComplete(returned -> starts.returned(key))
        .onSuccess(run -> running(run, start))
        .onFailure(cause -> notStarted(key, cause));
  }

  private static @Nullable HandlerCall call(MonitorCommand.Start start) {
    return start.handler() == null || start.args() == null
        ? null
        : new HandlerCall(
            start.handler(), start.args(), start.attempt() == null ? 1 : start.attempt());
  }

  private void notStarted(RunKey key, Throwable cause) {
    if (cause instanceof RunException e) {
      switch (e.kind()) {
        case ALREADY_STARTED -> {
          here.remove(key);
          log.warn("ignored a repeated request to start run {}: it was started before", key);
          return;
        }
        case REFUSED, ABANDONED -> {
          // the gate will miss it in time, or has given it up already
          here.remove(key);
          log.warn("run {} does not start on this host: {}", key, cause.getMessage());
          return;
        }
        default -> {}
      }
      // its job goes on: a second, late request for it must find it refused
      boolean unused = runner.refuse(key);
      if (e.kind() == RunException.Kind.NO_HANDLER) {
        notStarted(key, Causes.message(e));
        return;
      } else if (e.isOfHost()) {
        starts.failed(String.valueOf(e.getMessage()));
        notStarted(key, String.valueOf(e.getMessage()));
        return;
      }
    }
    sendOutcome(key, refused(key, cause));
  }

  /**
   * Reports to the gate that this host takes no such runs before the job is queued again; otherwise
   * a host that fails within milliseconds would be granted every waiting run.
   */
  private void notStarted(RunKey key, String why) {
    Instant now = clock.instant();
    sendReport()
        .onFailure(
            failed ->
                log.warn("the gate could not be informed that this host cannot start runs", failed))
        .onComplete(sent -> sendOutcome(key, new JobCommand.NotStarted(key.runId(), why, now)));
  }

  /** Reports to the gate what this host has and offers. */
  public Future<Void> sendReport() {
    return callboard.durableRef(Gate.PATH, GateCommand.class).tell(report());
  }

  private JobCommand.Ended refused(RunKey key, Throwable cause) {
    boolean retryable = cause instanceof RunException e && !e.isFinal();
    int code = cause instanceof RunException e ? e.exitCode() : 126;
    boolean unreadable = cause instanceof RunException e && e.kind() == RunException.Kind.MISFIT;
    return new JobCommand.Ended(
        key.runId(),
        code,
        String.valueOf(cause.getMessage()),
        retryable,
        clock.instant(),
        null,
        null,
        unreadable ? true : null);
  }

  private void running(Run run, MonitorCommand.Start start) {
    if (start.handler() == null) { // nor does one that has begun
      starts.started();
    }
    outcomes.sendStart(run.key(), new JobCommand.Started(run.key().runId(), run.startedAt()));
    watch.add(run.key(), start.progressTimeout(), start.checkpoint());
    run.result().onSuccess(result -> ended(run.key(), result));
  }

  /**
   * Completes a run. A run that its host gave up ended a term: the gate learns that before the job
   * is queued again; otherwise it would grant the next run in the old term, which is refused and
   * lost, too.
   */
  private void ended(RunKey key, RunResult result) {
    ended.add(key);
    RunOutput output = watch.remove(key, result.output());
    if (failedKills.remove(key) != null) {
      log.info("no process of run {} is left", key);
    }
    boolean news = result.lost() && !runner.isClosed();
    Future<Void> known = news ? sendReport() : Future.succeededFuture();
    known
        .onFailure(
            cause ->
                log.warn(
                    "the gate could not be informed of the remaining runs of this host", cause))
        .onComplete(sent -> sendOutcome(key, outcome(key, result, output)));
  }

  private static JobCommand outcome(RunKey key, RunResult result, RunOutput output) {
    RunOutput left = output.leavesNothing() ? null : output;
    if (result.lost()) {
      return new JobCommand.Lost(
          key.runId(), result.error().orElse("killed by its host"), result.endedAt(), false, left);
    }
    return new JobCommand.Ended(
        key.runId(),
        result.exitCode(),
        result.error().orElse(null),
        result.retry(),
        result.endedAt(),
        left,
        result.retryAfter().orElse(null));
  }

  /** Reports to the gate that nothing is here any more. */
  private void idle() {
    if (here.isEmpty()) {
      sendReport()
          .onFailure(
              cause ->
                  log.debug("the gate learns with the next report that this host is idle", cause));
    }
  }

  /**
   * Reports to the job of a run which processes of it are left; the runner goes on killing them.
   */
  private void killFailed(KillReport report) {
    RunKey key = report.key();
    Instant now = clock.instant();
    TroubledRun known = failedKills.get(key);
    TroubledRun left = notGone(report, known == null ? now : known.since());
    failedKills.put(key, left);
    if (known == null) {
      if (report.stack() == null) {
        log.error(
            "processes {} of run {} are left after SIGKILL, they are killed again until none is",
            report.survivors(),
            key);
      } else {
        log.error(
            "the handler of run {} has not ended though it was asked to, it is interrupted again: {}",
            key,
            report.stack());
      }
    }
    outcomes
        .toJob(key, new JobCommand.KillFailed(key.runId(), report.survivors(), now, report.stack()))
        .onFailure(
            cause ->
                log.warn(
                    "the job of run {} learns with the next kill that processes are left",
                    key,
                    cause));
  }

  private TroubledRun notGone(KillReport report, Instant since) {
    RunKey key = report.key();
    return new TroubledRun(
        TroubledRun.Kind.KILL_FAILED,
        key.jobId(),
        "",
        key.runId(),
        host,
        since,
        report.survivors());
  }

  /**
   * Returns the runs of this boot that a kill has not ended. A run that is over for its job, as its
   * host counted as dead for a while, is known only here.
   */
  public List<TroubledRun> notGone() {
    return List.copyOf(failedKills.values());
  }

  private void sendOutcome(RunKey key, JobCommand outcome) {
    ended.add(key);
    outcomes.send(key, outcome);
  }

  private void outcomeKnown(RunKey key) {
    here.remove(key);
    ended.remove(key);
  }

  /** Kills a run, or keeps it from starting. */
  void kill(RunKey key, String why) {
    context.runOnContext(
        v ->
            runner
                .kill(key, Runner.KILL_GRACE, why)
                .onFailure(cause -> log.error("run {} cannot be killed", key, cause))
                .onSuccess(
                    done -> {
                      if (done.outcome() == KillReport.Outcome.NOT_RUNNING) {
                        notHere(key, why);
                      }
                    }));
  }

  /** Reports to its job that a run is not here: it never starts, or ended before. */
  private void notHere(RunKey key, String why) {
    if (here.contains(key)) {
      return; // the job will learn its real outcome
    }
    Instant now = clock.instant();
    outcomes
        .toJob(
            key,
            new JobCommand.Lost(
                key.runId(), "not on its host when it was to be killed: " + why, now, false))
        .onFailure(
            cause ->
                log.warn(
                    "the job of run {} could not be informed that the run is not on this host",
                    key,
                    cause));
  }

  /**
   * Refuses runs that the gate misses here.
   *
   * @return those that are not here and so never will be
   */
  List<String> disown(List<String> runs) {
    List<String> disowned = new ArrayList<>();
    for (String run : runs) {
      RunKey key = RunKey.parse(run);
      if (runner.refuse(key) && !here.contains(key)) {
        disowned.add(run);
      }
    }
    return disowned;
  }

  /** Answers the gate how runs are that make no progress. */
  void inspect(List<String> runs) {
    context.runOnContext(v -> inspection.begin(runs));
  }

  /** Ends the background tasks of the host, once its runs have ended. */
  public void close() {
    tasks.close();
  }

  boolean isLive(RunKey key) {
    return runner.live().contains(key);
  }
}
