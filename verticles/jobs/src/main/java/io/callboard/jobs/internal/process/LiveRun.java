package io.callboard.jobs.internal.process;

import io.callboard.jobs.internal.files.RunLog;
import io.callboard.jobs.internal.runner.KillReport;
import io.callboard.jobs.internal.runner.RunKey;
import io.callboard.jobs.internal.runner.RunRequest;
import io.callboard.jobs.internal.runner.RunResult;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** State of a run from its request until its result. */
final class LiveRun {
  final RunRequest request;
  final RunLog log;

  /** Process of the run. It must stay referenced: if collected, it would close the pipe and die. */
  final CompletableFuture<Process> process = new CompletableFuture<>();

  final CompletableFuture<RunResult> ended = new CompletableFuture<>();

  /** Completes when a kill under way has looked for processes of it that are left. */
  private volatile @Nullable CompletableFuture<?> kill;

  private volatile @Nullable KillReport failedKill;
  private volatile String killReason = "";
  private volatile boolean abandoned;
  private volatile Instant startedAt = Instant.EPOCH;

  LiveRun(RunRequest request, RunLog log) {
    this.request = request;
    this.log = log;
  }

  RunKey key() {
    return request.key();
  }

  Instant startedAt() {
    return startedAt;
  }

  void startedAt(Instant at) {
    startedAt = at;
  }

  /** Returns the reason why the run is to be killed; empty if it is not. */
  String killReason() {
    return killReason;
  }

  /** Records the reason of a kill; the first one is reported. */
  void killFor(String reason) {
    if (killReason.isEmpty()) {
      killReason = reason;
    }
  }

  /**
   * Marks the run as ended by its host, which leaves no outcome, so that it is found lost later.
   */
  void abandonFor(String reason) {
    abandoned = true;
    killFor(reason);
  }

  /** Sets the kill under way, before the process can end of it. */
  void isKilledBy(CompletableFuture<?> under) {
    kill = under;
  }

  /** Returns the kill under way; null if there is none. */
  @Nullable CompletableFuture<?> kill() {
    return kill;
  }

  /** Returns the last kill, which left processes and is repeated; null if there is none. */
  @Nullable KillReport failedKill() {
    return failedKill;
  }

  void failedKill(@Nullable KillReport report) {
    failedKill = report;
  }

  boolean isAbandoned() {
    return abandoned;
  }

  /** Makes the watcher send a signal to the group. */
  static void signal(Process process, String name) {
    try {
      OutputStream pipe = process.getOutputStream();
      pipe.write((name + '\n').getBytes(StandardCharsets.US_ASCII));
      pipe.flush();
    } catch (IOException e) {
      return; // no watcher any more: it ended, or the next step finds the group
    }
  }

  /** Makes the watcher kill the group. Never blocks. */
  static void closePipe(Process process) {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      return; // the reader has ended
    }
  }

  /**
   * Completes with a report of a kill when the run has ended; at once if the run could not be
   * killed.
   */
  CompletableFuture<KillReport> endedAfter(KillReport report) {
    return report.outcome() == KillReport.Outcome.KILL_FAILED
        ? CompletableFuture.completedFuture(report)
        : ended.handle((result, never) -> report);
  }
}
