package io.callboard.jobs.internal.process;

import io.callboard.jobs.internal.files.ExitRecord;
import io.callboard.jobs.internal.files.RunFiles;
import io.callboard.jobs.internal.files.RunHome;
import io.callboard.jobs.internal.runner.RunResult;
import io.callboard.jobs.model.RunOutput;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Outcome of a run, determined once its shim has ended. Blocks. */
final class RunEnding {
  private static final Logger LOG = LoggerFactory.getLogger(RunEnding.class);
  private static final int HINT_BYTES = 2048;

  private final RunHome home;
  private final Clock clock;
  private final RunFiles files;

  RunEnding(RunHome home, Clock clock) {
    this.home = home;
    this.clock = clock;
    this.files = new RunFiles(home);
  }

  /** Returns whether the shim has written the outcome. */
  boolean hasRecord(LiveRun run) {
    try {
      return ExitRecord.read(home.control(run.key())).isPresent();
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns the result of a run and cuts its log to what is kept. */
  RunResult result(LiveRun run, Process process) {
    try {
      Optional<ExitRecord> record = ExitRecord.read(home.control(run.key()));
      if (run.isAbandoned() && record.isPresent() && record.get().exitCode() == RunResult.KILLED) {
        ExitRecord.remove(home.control(run.key())); // the command was killed before its shim
        record = Optional.empty();
      }
      RunResult result =
          record.isPresent() ? recorded(run, record.get()) : unrecorded(run, process);
      run.log.boundEnded();
      return result.with(output(run, result));
    } catch (IOException | RuntimeException e) {
      LOG.warn("the files of run {} cannot be used", run.key(), e);
      String error = "the files of the run cannot be used: " + e;
      return new RunResult(
          RunResult.SHIM_FAILED, Optional.of(error), true, run.startedAt(), clock.instant());
    }
  }

  /** Returns what the run left, without the checkpoint that it was given. */
  private RunOutput output(LiveRun run, RunResult result) {
    boolean succeeded = result.succeeded() && !result.lost();
    return files.output(run.key(), run.log, succeeded).withoutCheckpoint(run.request.checkpoint());
  }

  private RunResult recorded(LiveRun run, ExitRecord record) throws IOException {
    Optional<String> error = record.error();
    if (record.exitCode() != 0 && !run.killReason().isEmpty()) {
      error = Optional.of(run.killReason());
    } else if (record.exitCode() == 126 || record.exitCode() == 127) {
      error = shimLine(run);
    }
    Instant started = run.startedAt();
    Instant ended = record.endedAt(); // by the file system's clock, which is coarse
    return new RunResult(
        record.exitCode(), error, false, started, ended.isBefore(started) ? started : ended);
  }

  /**
   * Returns the result of a run whose shim ended before it could write: killed from outside, or the
   * disk is full. The end of the command is unknown, so it is lost, unless it was killed on
   * request.
   */
  private RunResult unrecorded(LiveRun run, Process process) throws IOException {
    boolean killed = process.exitValue() == RunResult.KILLED;
    int exitCode = killed ? RunResult.KILLED : RunResult.SHIM_FAILED;
    boolean lost = run.isAbandoned() || run.killReason().isEmpty();
    String error = run.killReason();
    if (error.isEmpty()) {
      error =
          killed
              ? "the shim was killed from outside (possibly out of memory); its process group was killed"
              : shimLine(run).orElse("the shim failed with code " + process.exitValue());
    }
    if (!lost) {
      // so that a restart of the node knows it, too
      ExitRecord.write(home.control(run.key()), exitCode, error);
    }
    return new RunResult(exitCode, Optional.of(error), lost, run.startedAt(), clock.instant());
  }

  // the shell's message when it cannot execute or fork
  private static Optional<String> shimLine(LiveRun run) throws IOException {
    return run.log
        .tail(3, HINT_BYTES)
        .text()
        .lines()
        .filter(line -> line.contains(Launcher.SHIM + ':'))
        .reduce((first, last) -> last)
        .map(line -> line.substring(line.indexOf(Launcher.SHIM)));
  }
}
