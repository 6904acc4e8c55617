package io.callboard.jobs.internal.actor;

import io.callboard.Actor;
import io.callboard.Protocol;
import io.callboard.jobs.internal.files.HostFiles;
import io.callboard.jobs.internal.files.LogBytes;
import io.callboard.jobs.internal.protocol.GateCommand;
import io.callboard.jobs.internal.protocol.MonitorAnswer;
import io.callboard.jobs.internal.protocol.MonitorCommand;
import io.callboard.jobs.internal.runner.RunKey;
import io.callboard.jobs.model.JobLog;
import io.callboard.jobs.model.JobLogPart;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Monitor of a host: starts and ends runs, and reports to the gate which ones are here. Volatile:
 * its knowledge is in {@link HostRuns}, the process table and the files of runs, so a restart loses
 * nothing.
 */
public final class HostMonitor extends Actor<MonitorCommand> {
  /** Interval of its reports to the gate when nothing changes. */
  static final Duration REPORT_EVERY = Duration.ofSeconds(10);

  /** Delay of a report after a kill, so that many kills are followed by one. */
  private static final Duration REPORT_SOON = Duration.ofMillis(100);

  private static final Logger log = LoggerFactory.getLogger(HostMonitor.class);
  private static final int MAX_LOG_BYTES = 128 << 10;

  private final HostRuns runs;
  private final HostFiles files;
  private final Function<MonitorCommand.Check, MonitorAnswer.Checked> check;
  private final Supplier<Future<Void>> repeat;
  private boolean reportsSoon;

  /**
   * Creates the monitor of this host.
   *
   * @param check checks arguments for its handlers; must not block
   * @param repeat sends a report that the next one supersedes, if the gate reads any
   */
  public HostMonitor(
      HostRuns runs,
      HostFiles files,
      Function<MonitorCommand.Check, MonitorAnswer.Checked> check,
      Supplier<Future<Void>> repeat) {
    this.runs = runs;
    this.files = files;
    this.check = check;
    this.repeat = repeat;
  }

  /** Returns the path of the monitor of the host of that name. */
  public static String path(String host) {
    return "/jobs/monitor/" + host;
  }

  @Override
  protected void protocol(Protocol<MonitorCommand> on) {
    on.message(MonitorCommand.Start.class, runs::start)
        .message(MonitorCommand.Kill.class, this::kill)
        .message(MonitorCommand.Disown.class, this::disown)
        .message(MonitorCommand.Inspect.class, this::inspect)
        .async(MonitorCommand.ReadLog.class, this::readLog)
        .message(MonitorCommand.Check.class, asked -> reply(check.apply(asked)))
        .message(MonitorCommand.Report.class, report -> repeat());
  }

  @Override
  protected Future<?> started() {
    repeat();
    return Future.succeededFuture();
  }

  /**
   * Reports to the gate which runs are here: at intervals, when the gate starts, and when it asks.
   */
  private void repeat() {
    again();
    repeat
        .get()
        .onFailure(
            cause ->
                log.warn(
                    "the gate could not be informed of the runs of this host, the next report follows in {} s: {}",
                    REPORT_EVERY.toSeconds(),
                    cause.toString()));
  }

  private void again() {
    reportsSoon = false;
    startTimer("report", REPORT_EVERY, new MonitorCommand.Report());
  }

  /** Reports as a part of the answer to a question, in order with the rest of it. */
  private void report() {
    again();
    tell(callboard().durableRef(Gate.PATH, GateCommand.class), runs.report());
  }

  private void kill(MonitorCommand.Kill kill) {
    if (kill.boot() != null && !kill.boot().equals(callboard().bootId())) {
      log.info("ignored the kill of run {}: it is for an earlier boot of this host", kill.run());
      return; // a frozen process of this host's name may have it until its guard ends it
    }
    runs.kill(RunKey.parse(kill.run()), kill.why());
    if (!reportsSoon) { // the gate may miss the run, or wait for its end
      reportsSoon = true;
      startTimer("report", REPORT_SOON, new MonitorCommand.Report());
    }
  }

  /**
   * Answers which of the runs that the gate misses are not here; those never start here any more.
   */
  private void disown(MonitorCommand.Disown question) {
    if (!question.boot().equals(callboard().bootId())) {
      report();
      return;
    }
    List<String> disowned = runs.disown(question.runs());
    if (!disowned.isEmpty()) {
      tell(
          callboard().durableRef(Gate.PATH, GateCommand.class),
          new GateCommand.Disowned(runs.host(), callboard().bootId(), disowned));
    }
    if (disowned.size() < question.runs().size()) {
      report();
    }
  }

  /** Answers how runs are that make no progress, once their files were looked at. */
  private void inspect(MonitorCommand.Inspect question) {
    if (question.boot().equals(callboard().bootId())) {
      runs.inspect(question.runs());
    } else {
      report();
    }
  }

  private static JobLogPart part(RunKey key, LogBytes part, boolean complete) {
    return new JobLogPart(
        key.runId(), part.bytes(), part.offset(), part.kept(), part.written(), complete);
  }

  private Future<?> readLog(MonitorCommand.ReadLog read) {
    RunKey key = new RunKey(read.job(), read.runId());
    Integer tail = read.tailLines();
    boolean live = runs.isLive(key);
    Long offset = read.offset();
    if (offset != null) {
      int most = read.most() == null ? MAX_LOG_BYTES : Math.min(read.most(), MAX_LOG_BYTES);
      return vertx
          .executeBlocking(() -> files.log(key, offset, most), false)
          .<MonitorAnswer>map(part -> new MonitorAnswer.Part(part(key, part, !live)))
          .otherwise(cause -> unreadable(key, cause))
          .onSuccess(this::reply);
    }
    return vertx
        .executeBlocking(
            () ->
                tail == null ? files.log(key, MAX_LOG_BYTES) : files.tail(key, tail, MAX_LOG_BYTES),
            false)
        .transform(
            text -> {
              reply(
                  text.succeeded()
                      ? new MonitorAnswer.Log(
                          new JobLog(
                              key.runId(), text.result().text(), !text.result().complete(), !live))
                      : unreadable(key, text.cause()));
              return Future.succeededFuture();
            });
  }

  /** Returns the answer for a log that cannot be read, which is no failure of this actor. */
  private static MonitorAnswer unreadable(RunKey key, Throwable cause) {
    log.warn("the log of run {} cannot be read: {}", key, cause.toString());
    return new MonitorAnswer.Unreadable(
        "the log of run %s cannot be read: %s".formatted(key, cause.getMessage()));
  }
}
