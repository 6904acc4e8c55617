package io.callboard.jobs;

import io.callboard.Actor;
import io.callboard.ActorRef;
import io.callboard.Protocol;
import io.callboard.jobs.process.KillReport;
import io.callboard.jobs.process.LogBytes;
import io.callboard.jobs.process.ProcessRunner;
import io.callboard.jobs.process.Run;
import io.callboard.jobs.process.RunDirectories;
import io.callboard.jobs.process.RunException;
import io.callboard.jobs.process.RunKey;
import io.callboard.jobs.process.RunRequest;
import io.callboard.jobs.process.RunResult;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one who knows what runs on its host. Volatile: what it knows is in the process table and the
 * run directories, so it loses nothing when it is restarted.
 *
 * <p>An outcome is told to the job durably first, then the run's directory is marked; a node that
 * dies in between tells it again, and the job ignores the second.
 */
final class Monitor extends Actor<MonitorCommand> {
  /** How often the gate is told although nothing changed. */
  static final Duration REPORT_EVERY = Duration.ofSeconds(10);

  /** From SIGTERM to SIGKILL. */
  static final Duration KILL_GRACE = Duration.ofSeconds(10);

  private static final Logger log = LoggerFactory.getLogger(Monitor.class);
  private static final int MAX_LOG_BYTES = 128 << 10;

  private final ProcessRunner processes;
  private final RunDirectories directories;
  private final int slots;
  private final Clock clock;

  Monitor(ProcessRunner processes, RunDirectories directories, int slots, Clock clock) {
    this.processes = processes;
    this.directories = directories;
    this.slots = slots;
    this.clock = clock;
  }

  static String path(String host) {
    return "/jobs/monitor/" + host;
  }

  @Override
  protected void protocol(Protocol<MonitorCommand> on) {
    on.message(MonitorCommand.Start.class, this::begin)
        .message(MonitorCommand.Kill.class, this::kill)
        .async(MonitorCommand.ReadLog.class, this::readLog)
        .message(MonitorCommand.Report.class, report -> report());
  }

  @Override
  protected Future<?> started() {
    report();
    return Future.succeededFuture();
  }

  /** What is here, for certain; asked for by the gate's start and by time. */
  private void report() {
    startTimer("report", REPORT_EVERY, new MonitorCommand.Report());
    List<String> runs = processes.live().stream().map(RunKey::toString).sorted().toList();
    tell(
        callboard().durableRef(Gate.PATH, GateCommand.class),
        new GateCommand.Report(
            callboard().node(),
            callboard().bootId(),
            processes.takesRuns() ? slots : 0,
            runs,
            clock.instant()));
  }

  private void begin(MonitorCommand.Start start) {
    if (!start.boot().equals(callboard().bootId())) {
      log.warn("run {}/{} was granted to an earlier boot of this host", start.job(), start.runId());
      return;
    }
    RunKey key = new RunKey(start.job(), start.runId());
    RunRequest request;
    try {
      request = new RunRequest(key, start.command(), start.env(), start.epoch(), "");
    } catch (RunException | IllegalArgumentException e) {
      tellOutcome(key, refused(key, e), 1);
      return;
    }
    processes
        .start(request)
        .onSuccess(run -> running(run, start.runTimeout()))
        .onFailure(cause -> notStarted(key, cause));
  }

  private void notStarted(RunKey key, Throwable cause) {
    if (cause instanceof RunException e && e.kind() == RunException.Kind.ALREADY_STARTED) {
      log.warn("run {} was asked for twice", key);
      return;
    }
    if (cause instanceof RunException e && e.kind() == RunException.Kind.ABANDONED) {
      // told at once it could be granted to this host again, and again; the gate misses it in time
      log.warn("run {} is not here: {}", key, cause.getMessage());
      return;
    }
    tellOutcome(key, refused(key, cause), 1);
  }

  private JobCommand.Ended refused(RunKey key, Throwable cause) {
    boolean retryable =
        cause instanceof RunException e
            && e.kind() != RunException.Kind.NOT_FOUND
            && e.kind() != RunException.Kind.NOT_EXECUTABLE;
    int code = cause instanceof RunException e ? e.exitCode() : 126;
    return new JobCommand.Ended(
        key.runId(), code, String.valueOf(cause.getMessage()), retryable, clock.instant());
  }

  private void running(Run run, @Nullable Duration timeout) {
    tellJob(run.key(), new JobCommand.Started(run.key().runId(), run.startedAt()))
        .onFailure(cause -> log.warn("the start of run {} was not told", run.key(), cause));
    run.result().onSuccess(result -> tellOutcome(run.key(), outcome(run.key(), result), 1));
    if (timeout != null) {
      long timer =
          vertx.setTimer(
              Math.max(1, timeout.toMillis()),
              id ->
                  processes
                      .kill(
                          run.key(), KILL_GRACE, "its run timeout of %s is over".formatted(timeout))
                      .onFailure(cause -> log.error("run {} cannot be killed", run.key(), cause)));
      run.result().onSuccess(result -> vertx.cancelTimer(timer));
    }
  }

  private JobCommand outcome(RunKey key, RunResult result) {
    if (result.lost()) {
      return new JobCommand.Lost(
          key.runId(), result.error().orElse("killed by its host"), result.endedAt(), false);
    }
    return new JobCommand.Ended(
        key.runId(), result.exitCode(), result.error().orElse(null), true, result.endedAt());
  }

  private void tellOutcome(RunKey key, JobCommand outcome, int attempt) {
    if (processes.isClosed()) {
      return;
    }
    tellJob(key, outcome)
        .compose(
            told ->
                vertx.executeBlocking(
                    () -> {
                      directories.acknowledge(key);
                      return null;
                    },
                    false))
        .onFailure(
            cause -> {
              log.warn("the outcome of run {} is told again: {}", key, cause.toString());
              vertx.setTimer(
                  Math.min(10_000, 200L << Math.min(attempt, 6)),
                  id -> tellOutcome(key, outcome, attempt + 1));
            });
  }

  private Future<Void> tellJob(RunKey key, JobCommand what) {
    ActorRef<JobCommand> job = callboard().durableRef(JobActor.path(key.jobId()), JobCommand.class);
    return job.tell(what);
  }

  private void kill(MonitorCommand.Kill kill) {
    int slash = kill.run().indexOf('/');
    RunKey key =
        new RunKey(
            kill.run().substring(0, slash), Integer.parseInt(kill.run().substring(slash + 1)));
    processes
        .kill(key, KILL_GRACE, kill.why())
        .onComplete(
            done -> {
              if (done.failed()) {
                log.error("run {} cannot be killed", key, done.cause());
              } else if (done.result().outcome() == KillReport.Outcome.NOT_RUNNING) {
                notHere(key, kill.why());
              }
            });
  }

  /** A run that is to be killed was never started here, or ended before: the job must know. */
  private void notHere(RunKey key, String why) {
    Instant now = clock.instant();
    tellJob(key, new JobCommand.Lost(key.runId(), "not on its host when it was " + why, now, false))
        .onFailure(cause -> log.warn("that run {} is not here was not told", key, cause));
  }

  private static JobLogPart part(RunKey key, LogBytes part, boolean complete) {
    return new JobLogPart(
        key.runId(), part.bytes(), part.offset(), part.kept(), part.written(), complete);
  }

  private Future<?> readLog(MonitorCommand.ReadLog read) {
    RunKey key = new RunKey(read.job(), read.runId());
    Integer tail = read.tailLines();
    boolean live = processes.live().contains(key);
    Long offset = read.offset();
    if (offset != null) {
      int most = read.most() == null ? MAX_LOG_BYTES : Math.min(read.most(), MAX_LOG_BYTES);
      return vertx
          .executeBlocking(() -> directories.log(key, offset, most), false)
          .onSuccess(part -> reply(new MonitorAnswer.Part(part(key, part, !live))));
    }
    return vertx
        .executeBlocking(
            () ->
                tail == null
                    ? directories.log(key, MAX_LOG_BYTES)
                    : directories.tail(key, tail, MAX_LOG_BYTES),
            false)
        .onSuccess(
            text ->
                reply(
                    new MonitorAnswer.Log(
                        new JobLog(key.runId(), text.text(), !text.complete(), !live))));
  }
}
