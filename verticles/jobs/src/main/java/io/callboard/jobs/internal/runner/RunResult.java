package io.callboard.jobs.internal.runner;

import io.callboard.jobs.model.RunOutput;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Result of a run that has ended.
 *
 * @param exitCode exit code of the command, or 0 or 1 of a handler; 128 + n if signal n ended it;
 *     125 if the shim failed
 * @param error reason where more is known than the code: killed on request, killed from outside,
 *     not executable; empty if the command ended by itself
 * @param lost whether its host ended it for a reason that is not the run's, which is no outcome
 * @param startedAt its start
 * @param endedAt its end
 * @param output what it left
 * @param retry whether another attempt may end otherwise
 * @param retryAfter pause before it; empty for that of the retry policy
 */
public record RunResult(
    int exitCode,
    Optional<String> error,
    boolean lost,
    Instant startedAt,
    Instant endedAt,
    RunOutput output,
    boolean retry,
    Optional<Duration> retryAfter) {
  static final int SIGNAL_BASE = 128;

  /** Exit code of a command that SIGKILL ended, as a shell reports it. */
  public static final int KILLED = SIGNAL_BASE + 9;

  /** Exit code if the shim could not do its work. */
  public static final int SHIM_FAILED = 125;

  /** Creates the result of a run that left nothing. */
  public RunResult(
      int exitCode, Optional<String> error, boolean lost, Instant startedAt, Instant endedAt) {
    this(exitCode, error, lost, startedAt, endedAt, RunOutput.NONE, true, Optional.empty());
  }

  /** Returns the result with what the run left. */
  public RunResult with(RunOutput left) {
    return new RunResult(exitCode, error, lost, startedAt, endedAt, left, retry, retryAfter);
  }

  /** Returns whether the command ended by itself with code 0. */
  public boolean succeeded() {
    return exitCode == 0;
  }

  /**
   * Returns the signal that ended the command. By the convention of shells: a command that exits
   * with such a code by itself looks the same.
   */
  public OptionalInt signal() {
    return exitCode > SIGNAL_BASE && exitCode <= SIGNAL_BASE + 64
        ? OptionalInt.of(exitCode - SIGNAL_BASE)
        : OptionalInt.empty();
  }
}
