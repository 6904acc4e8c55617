package io.callboard.jobs;

import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.jobs.internal.actor.JobActor;
import io.callboard.jobs.internal.files.ExitRecord;
import io.callboard.jobs.internal.files.HostFiles;
import io.callboard.jobs.internal.files.OrphanedRun;
import io.callboard.jobs.internal.process.OrphanProcess;
import io.callboard.jobs.internal.process.OrphanSweep;
import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.internal.runner.RunKey;
import io.callboard.jobs.model.RunOutput;
import io.callboard.jobs.model.TroubledRun;
import io.callboard.task.BackgroundTasks;
import io.callboard.time.Time.Alarm;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs that earlier boots of this host left behind. They are settled before the host offers its
 * slots: their processes are killed, and an outcome that was written but not reported is reported.
 * A run without an outcome is lost; the gate learns that from this host's first report.
 */
final class OrphanedRuns {
  private static final Logger log = LoggerFactory.getLogger(OrphanedRuns.class);
  private static final Duration SWEEP_AGAIN = Duration.ofSeconds(5);

  /** Failures in a row of which the first is logged: one line in five minutes. */
  private static final int LOGGED_FAILURES = 60;

  private final Callboard callboard;
  private final Supplier<OrphanSweep.Report> sweep;
  private final HostFiles files;

  private final BackgroundTasks tasks;

  private volatile List<TroubledRun> notGone = List.of();

  /** Processes that the last sweep could not kill: each is logged once. */
  private volatile Set<OrphanProcess> survivors = Set.of();

  /** Processes that the last sweep left to a node that may be alive: each is logged once. */
  private volatile Set<OrphanProcess> spared = Set.of();

  private final AtomicInteger failures = new AtomicInteger();

  /**
   * Creates the settlement of a start of this host.
   *
   * @param sweep kills the processes that earlier boots left; blocks
   */
  OrphanedRuns(Callboard callboard, Supplier<OrphanSweep.Report> sweep, HostFiles files) {
    this.callboard = callboard;
    this.sweep = sweep;
    this.files = files;
    this.tasks = callboard.tasks("the end of orphaned runs");
  }

  Future<Void> settle() {
    return callboard
        .vertx()
        .executeBlocking(this::sweep, false)
        .compose(
            swept ->
                tellLeft(swept.survivors())
                    .compose(v -> callboard.vertx().executeBlocking(files::unacknowledged, false)))
        .compose(left -> Future.join(left.stream().map(this::tellOrLeave).toList()).mapEmpty());
  }

  /** Reports runs that this host has killed as lost, unless they had ended by themselves. */
  Future<Void> settle(Set<RunKey> killed, Instant now) {
    List<Future<Void>> sent = new ArrayList<>();
    for (RunKey run : killed) {
      sent.add(
          callboard
              .vertx()
              .executeBlocking(() -> files.outcome(run), false)
              .compose(
                  outcome -> outcome.isPresent() ? tell(run, outcome.get()) : tellLost(run, now)));
    }
    return Future.join(sent)
        .<Void>mapEmpty()
        .timeout(Jobs.ASK.toMillis() / 2, TimeUnit.MILLISECONDS);
  }

  private Future<Void> tellLost(RunKey run, Instant now) {
    return output(run, false)
        .compose(
            output ->
                job(run)
                    .tell(
                        new JobCommand.Lost(run.runId(), "its node stopped", now, false, output)));
  }

  private OrphanSweep.Report sweep() {
    OrphanSweep.Report swept = sweep.get();
    for (OrphanProcess orphan : swept.killed()) {
      log.warn("killed {}, left running by an earlier boot of this node", orphan);
    }
    for (OrphanProcess orphan : swept.survivors()) {
      if (!survivors.contains(orphan)) {
        log.error("{} of an earlier boot of this node cannot be killed", orphan);
      }
    }
    for (OrphanProcess orphan : swept.spared()) {
      if (!spared.contains(orphan)) {
        log.error(
            "{} carries the identity of this data directory, but the node that started it may be alive: it is left running; if that node is not alive, kill it by hand",
            orphan);
      }
    }
    survivors = Set.copyOf(swept.survivors());
    spared = Set.copyOf(swept.spared());
    return swept;
  }

  /**
   * Reports to the jobs which processes of their runs are left, and sweeps again later, until none
   * is. The runs themselves cannot be kept: their host has a new boot.
   */
  private Future<Void> tellLeft(List<OrphanProcess> left) {
    Map<RunKey, List<Long>> pids = new LinkedHashMap<>();
    for (OrphanProcess orphan : left) {
      orphan
          .run()
          .ifPresent(run -> pids.computeIfAbsent(run, key -> new ArrayList<>()).add(orphan.pid()));
    }
    notGone = notGone(pids);
    if (left.isEmpty()) {
      return Future.succeededFuture();
    }
    List<Future<Void>> sent = new ArrayList<>();
    pids.forEach(
        (run, own) -> sent.add(job(run).tell(new JobCommand.KillFailed(run.runId(), own, now()))));
    sweepLater();
    return Future.join(sent)
        .<Void>mapEmpty()
        .otherwise(
            cause -> {
              log.warn("jobs could not be informed of processes that are left", cause);
              return null;
            });
  }

  /** Returns the runs that are left, each with the time of the first look that found it. */
  private List<TroubledRun> notGone(Map<RunKey, List<Long>> pids) {
    Map<RunKey, Instant> first = new HashMap<>();
    notGone.forEach(run -> first.put(new RunKey(run.job(), run.runId()), run.since()));
    List<TroubledRun> runs = new ArrayList<>();
    pids.forEach(
        (run, own) ->
            runs.add(
                new TroubledRun(
                    TroubledRun.Kind.KILL_FAILED,
                    run.jobId(),
                    "",
                    run.runId(),
                    callboard.node(),
                    first.getOrDefault(run, now()),
                    own,
                    true)));
    return List.copyOf(runs);
  }

  /**
   * Returns the runs of earlier boots that have processes left. Their jobs keep no failed kill of a
   * run that is over, as this one is for them: its host has a new boot. Any thread.
   */
  List<TroubledRun> notGone() {
    return notGone;
  }

  private void sweepLater() {
    Alarm unused = tasks.after(SWEEP_AGAIN, this::sweepAgain);
  }

  private void sweepAgain() {
    callboard
        .vertx()
        .executeBlocking(this::sweep, false)
        .compose(swept -> tellLeft(swept.survivors()))
        .onSuccess(v -> failures.set(0))
        .onFailure(
            cause -> {
              if (failures.getAndIncrement() % LOGGED_FAILURES == 0) {
                log.error(
                    "processes of earlier boots cannot be looked for, which is tried again", cause);
              }
              sweepLater();
            });
  }

  /** Ends the search for processes of earlier boots. */
  void close() {
    tasks.close();
  }

  /** Reports a run; one whose job takes no message is left to the next start, and hinders none. */
  private Future<Void> tellOrLeave(OrphanedRun run) {
    return tell(run)
        .recover(
            cause -> {
              log.error(
                  "the end of run {} could not be reported to its job, the next start of the node tries again: {}",
                  run.key(),
                  cause.toString());
              return Future.succeededFuture();
            });
  }

  private Future<Void> tell(OrphanedRun run) {
    return run.exit().isPresent() ? tell(run.key(), run.exit().get()) : tellFiles(run.key());
  }

  /** Reports what a run without an outcome left: its last checkpoint is for the next run. */
  private Future<Void> tellFiles(RunKey run) {
    return output(run, false)
        .compose(
            output ->
                output.leavesNothing()
                    ? Future.<Void>succeededFuture()
                    : job(run).tell(new JobCommand.Wrote(run.runId(), output, now())))
        .otherwise(
            cause -> {
              log.warn(
                  "the files of run {} could not be reported: its next run begins with the checkpoint before: {}",
                  run,
                  cause.toString());
              return null;
            })
        .compose(v -> acknowledge(run));
  }

  /** Returns what a run left; nothing if its files cannot be read. */
  private Future<RunOutput> output(RunKey run, boolean succeeded) {
    return callboard
        .vertx()
        .executeBlocking(() -> files.output(run, succeeded), false)
        .otherwise(
            cause -> {
              log.warn("the files of run {} cannot be read: {}", run, cause.toString());
              return RunOutput.NONE;
            });
  }

  private ActorRef<JobCommand> job(RunKey run) {
    return callboard.durableRef(JobActor.path(run.jobId()), JobCommand.class);
  }

  private Instant now() {
    return callboard.time().clock().instant();
  }

  private Future<Void> tell(RunKey run, ExitRecord exit) {
    return output(run, exit.exitCode() == 0)
        .compose(
            output ->
                job(run)
                    .tell(
                        new JobCommand.Ended(
                            run.runId(),
                            exit.exitCode(),
                            exit.error().orElse(null),
                            true,
                            exit.endedAt(),
                            output)))
        .compose(v -> acknowledge(run));
  }

  private Future<Void> acknowledge(RunKey run) {
    return callboard
        .vertx()
        .executeBlocking(
            () -> {
              files.acknowledge(run);
              return null;
            },
            false)
        .<Void>mapEmpty()
        .otherwise(
            cause -> {
              log.warn(
                  "the end of run {} cannot be recorded on disk, the next start of the node reports it again: {}",
                  run,
                  cause.toString());
              return null;
            });
  }
}
