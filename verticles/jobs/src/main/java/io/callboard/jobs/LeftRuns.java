package io.callboard.jobs;

import io.callboard.Callboard;
import io.callboard.jobs.process.ExitRecord;
import io.callboard.jobs.process.LeftRun;
import io.callboard.jobs.process.Orphan;
import io.callboard.jobs.process.OrphanSweep;
import io.callboard.jobs.process.RunDirectories;
import io.callboard.jobs.process.RunHome;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Settles what earlier boots of this host left, before it offers its slots: their processes are
 * killed; an outcome that was written but not told is told now. A run without an outcome is lost;
 * the gate learns that from this host's first report.
 */
final class LeftRuns {
  private static final Logger log = LoggerFactory.getLogger(LeftRuns.class);

  private final Callboard callboard;
  private final RunHome home;
  private final RunDirectories directories;

  LeftRuns(Callboard callboard, RunHome home, RunDirectories directories) {
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
              List<Future<Void>> told = new ArrayList<>();
              left.forEach(run -> told.add(tell(run)));
              return Future.join(told).mapEmpty();
            });
  }

  private List<LeftRun> sweep() {
    OrphanSweep.Report swept = new OrphanSweep(home).run();
    for (Orphan orphan : swept.killed()) {
      log.warn("killed {}, which an earlier boot of this node left running", orphan);
    }
    for (Orphan orphan : swept.survivors()) {
      log.error("{} of an earlier boot of this node cannot be killed", orphan);
    }
    return directories.unacknowledged();
  }

  private Future<Void> tell(LeftRun run) {
    if (run.exit().isEmpty()) {
      return acknowledge(run);
    }
    ExitRecord exit = run.exit().get();
    return callboard
        .durableRef(JobActor.path(run.key().jobId()), JobCommand.class)
        .tell(
            new JobCommand.Ended(
                run.key().runId(),
                exit.exitCode(),
                exit.error().orElse(null),
                true,
                exit.endedAt()))
        .compose(v -> acknowledge(run));
  }

  private Future<Void> acknowledge(LeftRun run) {
    return callboard
        .vertx()
        .executeBlocking(
            () -> {
              directories.acknowledge(run.key());
              return null;
            },
            false);
  }
}
