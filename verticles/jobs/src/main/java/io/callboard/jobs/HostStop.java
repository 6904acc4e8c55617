package io.callboard.jobs;

import io.callboard.Callboard;
import io.callboard.jobs.internal.actor.Gate;
import io.callboard.jobs.internal.actor.HostMonitor;
import io.callboard.jobs.internal.actor.HostRuns;
import io.callboard.jobs.internal.protocol.GateCommand;
import io.callboard.jobs.internal.runner.KillReport;
import io.callboard.jobs.internal.runner.RunKey;
import io.callboard.jobs.internal.runner.Runner;
import io.vertx.core.Future;
import java.time.Clock;
import java.util.Comparator;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Orderly stop of this host: it withdraws its slots, kills its runs, and only then reports them
 * lost, so that none is alive when its job is granted the next.
 */
final class HostStop {
  private static final Logger log = LoggerFactory.getLogger(HostStop.class);

  private final Callboard callboard;
  private final HostRuns runs;
  private final Runner runner;
  private final OrphanedRuns left;
  private final Clock clock;
  private final Set<RunKey> killed = new TreeSet<>(Comparator.comparing(RunKey::toString));

  /**
   * Creates the stop of a host.
   *
   * @param left reports the runs as lost
   */
  HostStop(Callboard callboard, HostRuns runs, Runner runner, OrphanedRuns left, Clock clock) {
    this.callboard = callboard;
    this.runs = runs;
    this.runner = runner;
    this.left = left;
    this.clock = clock;
  }

  /** Stops the host; fails if the killed runs could not be reported. */
  Future<Void> start() {
    return withdraw()
        .eventually(this::kill)
        .eventually(() -> callboard.stop(HostMonitor.path(callboard.node())))
        .eventually(() -> left.settle(killed, clock.instant()));
  }

  /** Withdraws all slots, so that a lost run is not granted to this host again. */
  private Future<Void> withdraw() {
    return callboard
        .durableRef(Gate.PATH, GateCommand.class)
        .tell(runs.reportWithoutSlots())
        .timeout(Jobs.ASK.toMillis() / 2, TimeUnit.MILLISECONDS);
  }

  /** Kills all runs, which the monitor no longer reports; completes when all are gone. */
  private Future<Void> kill() {
    killed.addAll(runner.live());
    return runner
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
}
