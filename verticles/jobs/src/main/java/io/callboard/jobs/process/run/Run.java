package io.callboard.jobs.process.run;

import io.vertx.core.Future;
import java.time.Instant;

/** A run that was started. */
public final class Run {
  private final RunKey key;
  private final long pid;
  private final Instant startedAt;
  private final Future<RunResult> result;

  public Run(RunKey key, long pid, Instant startedAt, Future<RunResult> result) {
    this.key = key;
    this.pid = pid;
    this.startedAt = startedAt;
    this.result = result;
  }

  public RunKey key() {
    return key;
  }

  /** The shim's process id, which is also its group and its session. */
  public long pid() {
    return pid;
  }

  public Instant startedAt() {
    return startedAt;
  }

  /**
   * Succeeds once the command has ended and its group was killed, on the context that started the
   * run. It never fails: what goes wrong is in {@link RunResult#error}.
   */
  public Future<RunResult> result() {
    return result;
  }

  @Override
  public String toString() {
    return "run " + key + " (pid " + pid + ')';
  }
}
