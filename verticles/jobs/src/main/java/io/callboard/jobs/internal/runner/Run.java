package io.callboard.jobs.internal.runner;

import io.vertx.core.Future;
import java.time.Instant;

/** Handle of a run that was started. */
public final class Run {
  private final RunKey key;
  private final long pid;
  private final Instant startedAt;
  private final Future<RunResult> result;

  /** Creates the handle. */
  public Run(RunKey key, long pid, Instant startedAt, Future<RunResult> result) {
    this.key = key;
    this.pid = pid;
    this.startedAt = startedAt;
    this.result = result;
  }

  /** Returns the name of the run. */
  public RunKey key() {
    return key;
  }

  /** Returns the shim's process id, which is also its group and its session; 0 for a handler. */
  public long pid() {
    return pid;
  }

  /** Returns the time of its start. */
  public Instant startedAt() {
    return startedAt;
  }

  /**
   * Returns the result: it succeeds, on the context that started the run, once the command has
   * ended and its group was killed. It never fails: problems are in {@link RunResult#error}.
   */
  public Future<RunResult> result() {
    return result;
  }

  @Override
  public String toString() {
    return "run " + key + " (pid " + pid + ')';
  }
}
