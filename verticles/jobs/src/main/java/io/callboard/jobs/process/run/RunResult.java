package io.callboard.jobs.process.run;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Result of a run that has ended.
 *
 * @param exitCode of the command; 128 + n if signal n ended it; 125 if the shim failed
 * @param error why, where more is known than the code: killed on request, killed from outside, not
 *     executable; empty for an end of the command's own choice
 * @param lost whether its host ended it for a reason that is not the run's: that is no outcome
 */
public record RunResult(
    int exitCode, Optional<String> error, boolean lost, Instant startedAt, Instant endedAt) {
  static final int SIGNAL_BASE = 128;

  /** SIGKILL, as a shell reports it. */
  public static final int KILLED = SIGNAL_BASE + 9;

  /** The shim could not do its work. */
  public static final int SHIM_FAILED = 125;

  /** The command ended by itself with code 0. */
  public boolean succeeded() {
    return exitCode == 0;
  }

  /**
   * The signal that ended the command. A convention of shells: a command that exits with such a
   * code by itself looks the same.
   */
  public OptionalInt signal() {
    return exitCode > SIGNAL_BASE && exitCode <= SIGNAL_BASE + 64
        ? OptionalInt.of(exitCode - SIGNAL_BASE)
        : OptionalInt.empty();
  }
}
