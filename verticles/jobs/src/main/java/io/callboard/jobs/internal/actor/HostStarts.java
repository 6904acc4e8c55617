package io.callboard.jobs.internal.actor;

import io.callboard.Callboard;
import io.callboard.grid.HostFaults;
import io.callboard.jobs.internal.runner.RunKey;
import io.callboard.jobs.internal.runner.Runner;
import io.callboard.time.Time.Alarm;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts on this host that failed by its fault, or have not returned. It probes the host, publishes
 * its fault, and reports to the gate when it takes runs again, or none any more. {@link
 * HostFitness} and {@link OpenStarts} decide. All methods on one context, but {@link #fault()} and
 * {@link #slots}, which any thread may call.
 */
final class HostStarts {
  private static final Logger log = LoggerFactory.getLogger(HostStarts.class);

  private final Callboard callboard;
  private final String host;
  private final Runner runner;
  private final Context context;
  private final Supplier<Future<Void>> report;
  private final HostFitness fitness = new HostFitness();
  private final OpenStarts open = new OpenStarts();
  private boolean looking;

  /**
   * Creates the record of a host without starts.
   *
   * @param context context of its work, of no actor
   * @param report sends a report to the gate
   */
  HostStarts(
      Callboard callboard,
      String host,
      Runner runner,
      Context context,
      Supplier<Future<Void>> report) {
    this.callboard = callboard;
    this.host = host;
    this.runner = runner;
    this.context = context;
    this.report = report;
  }

  /** Returns why the host cannot start runs; empty if there is no sign of that. */
  Optional<HostFitness.Fault> fault() {
    return fitness.fault();
  }

  /**
   * Returns the number of slots to report.
   *
   * @param slots number of slots that the host has
   * @param here number of runs on the host
   */
  int slots(int slots, int here) {
    return fitness.slots(slots, here);
  }

  /** Records that a start begins. */
  void begins(RunKey run) {
    open.begins(run, nowNs());
    if (!looking) {
      lookLater();
    }
  }

  /** Records that a start has returned, with or without success. */
  void returned(RunKey run) {
    open.returns(run);
    if (open.late(nowNs()).isEmpty() && fitness.hangsNoMore()) {
      log.info("no start of host {} hangs any more", host);
      publishFault();
      takesRuns();
    }
  }

  private void lookLater() {
    Optional<Duration> wait = open.untilLook(nowNs());
    looking = wait.isPresent();
    wait.ifPresent(
        pause -> {
          Alarm unused = callboard.time().after(context, pause, this::look);
        });
  }

  private void look() {
    if (runner.isClosed()) {
      return;
    }
    open.late(nowNs()).ifPresent(this::hangs);
    lookLater();
  }

  private void hangs(RunKey run) {
    String why = "a start has not returned for over %d s".formatted(OpenStarts.MOST.toSeconds());
    if (fitness.hangs(why, now())) {
      log.error(
          "host {} takes no runs until the start of run {} returns: {}; its disk may not answer",
          host,
          run,
          why);
      publishFault();
      report
          .get()
          .onFailure(
              failed ->
                  log.warn("the gate learns with the next report that a start hangs", failed));
    }
  }

  /** Records that a run has started. */
  void started() {
    if (fitness.started()) {
      fitAgain();
      takesRuns();
    }
  }

  /** Records that a run could not be started because of the host. */
  void failed(String why) {
    boolean isNews = fault().isEmpty();
    Optional<Duration> probe = fitness.failed(why, now());
    if (isNews) {
      log.error(
          "host {} cannot start job runs and takes none until a probe succeeds: {}", host, why);
      publishFault();
    }
    probe.ifPresent(this::probeAfter);
  }

  private void probeAfter(Duration wait) {
    Alarm unused = callboard.time().after(context, wait, this::probe);
  }

  private void probe() {
    if (runner.isClosed()) {
      return;
    }
    callboard
        .vertx()
        .executeBlocking(
            () -> {
              runner.probe();
              return null;
            },
            false)
        .onComplete(done -> context.runOnContext(v -> probed(done.cause())));
  }

  private void probed(@Nullable Throwable failure) {
    if (failure != null) {
      probeAfter(fitness.probeFailed(String.valueOf(failure.getMessage()), now()));
      return;
    }
    fitness.probed();
    fitAgain();
    takesRuns();
  }

  private void fitAgain() {
    if (fault().isEmpty()) {
      log.info("this host can start runs again");
      publishFault();
    }
  }

  private void takesRuns() {
    report
        .get()
        .onFailure(
            failed ->
                log.warn(
                    "the gate could not be informed that this host takes runs again, the next"
                        + " report says it",
                    failed));
  }

  /** Publishes the fault for the grid monitor. */
  private void publishFault() {
    callboard
        .publish(HostFaults.FACT, fault().map(HostFitness.Fault::why).orElse(""))
        .onFailure(
            cause ->
                log.warn("the ability of this host to start runs could not be published", cause));
  }

  private Instant now() {
    return callboard.time().clock().instant();
  }

  private long nowNs() {
    return callboard.time().nanoTime();
  }
}
