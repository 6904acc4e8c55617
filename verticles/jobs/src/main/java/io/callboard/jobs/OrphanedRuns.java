package io.callboard.jobs;

import io.callboard.Callboard;
import io.callboard.jobs.actor.JobActor;
import io.callboard.jobs.process.OrphanProcess;
import io.callboard.jobs.process.OrphanSweep;
import io.callboard.jobs.process.files.ExitRecord;
import io.callboard.jobs.process.files.OrphanedRun;
import io.callboard.jobs.process.files.RunDirectories;
import io.callboard.jobs.process.run.RunHome;
import io.callboard.jobs.process.run.RunKey;
import io.callboard.jobs.protocol.JobCommand;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs that earlier boots of this host left behind. They are settled before the host offers its
 * slots: their processes are killed, and an outcome that was written but not reported is reported.
 * A run without an outcome is lost; the gate learns that from this host's first report.
 */
final class OrphanedRuns {
  private static final Logger log = LoggerFactory.getLogger(OrphanedRuns.class);

  private final Callboard callboard;
  private final RunHome home;
  private final RunDirectories directories;

  OrphanedRuns(Callboard callboard, RunHome home, RunDirectories directories) {
    this.callboard = callboard;
    this.home = home;
    this.directories = directories;
  }

  Future<Void> settle() {
    return callboard
        .vertx()
        .executeBlocking(this::sweep, false)
        .compose(
            left -> {
              List<Future<Void>> sent = new ArrayList<>();
              left.forEach(run -> sent.add(tell(run)));
              return Future.join(sent).mapEmpty();
            });
  }

  /** Reports runs that this host has killed as lost, unless they had ended by themselves. */
  Future<Void> settle(Set<RunKey> killed, Instant now) {
    List<Future<Void>> sent = new ArrayList<>();
    for (RunKey run : killed) {
      sent.add(
          callboard
              .vertx()
              .executeBlocking(() -> directories.outcome(run), false)
              .compose(
                  outcome -> outcome.isPresent() ? tell(run, outcome.get()) : tellLost(run, now)));
    }
    return Future.join(sent)
        .<Void>mapEmpty()
        .timeout(Jobs.ASK.toMillis() / 2, TimeUnit.MILLISECONDS);
  }

  private Future<Void> tellLost(RunKey run, Instant now) {
    return callboard
        .durableRef(JobActor.path(run.jobId()), JobCommand.class)
        .tell(new JobCommand.Lost(run.runId(), "its node stopped", now, false));
  }

  private List<OrphanedRun> sweep() {
    OrphanSweep.Report swept = new OrphanSweep(home).run();
    for (OrphanProcess orphan : swept.killed()) {
      log.warn("killed {}, left running by an earlier boot of this node", orphan);
    }
    for (OrphanProcess orphan : swept.survivors()) {
      log.error("{} of an earlier boot of this node cannot be killed", orphan);
    }
    for (OrphanProcess orphan : swept.spared()) {
      log.error(
          "{} carries the identity of this data directory, but the node that started it may be alive: it is left running; if that node is not alive, kill it by hand",
          orphan);
    }
    return directories.unacknowledged();
  }

  private Future<Void> tell(OrphanedRun run) {
    return run.exit().isPresent() ? tell(run.key(), run.exit().get()) : acknowledge(run.key());
  }

  private Future<Void> tell(RunKey run, ExitRecord exit) {
    return callboard
        .durableRef(JobActor.path(run.jobId()), JobCommand.class)
        .tell(
            new JobCommand.Ended(
                run.runId(), exit.exitCode(), exit.error().orElse(null), true, exit.endedAt()))
        .compose(v -> acknowledge(run));
  }

  private Future<Void> acknowledge(RunKey run) {
    return callboard
        .vertx()
        .executeBlocking(
            () -> {
              directories.acknowledge(run);
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
