package io.callboard.guard;

import io.callboard.codecs.ActorPath;
import io.callboard.guard.GuardStatus.State;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Log of a guard's circuit: its openings and closings. One that opens again and again within a
 * minute says so at each opening whose number is a power of two; one of the others that lasts for
 * {@value #LASTING} failures in a row is logged all the same. Not thread-safe.
 */
final class CircuitLines {
  /** Failures in a row. */
  static final int LASTING = 4;

  /** A circuit that was closed for so long begins anew. */
  static final long QUIET_NANOS = 60_000_000_000L;

  private static final Logger log = LoggerFactory.getLogger(CircuitLines.class);

  private final ActorPath path;
  private boolean open;
  private boolean told;
  private long openings;
  private long closedNs;

  /**
   * Creates the log lines of a guard.
   *
   * @param path of the guard
   */
  CircuitLines(ActorPath path) {
    this.path = path;
  }

  /** The circuit is so now; called often. */
  void now(State state, long failures, @Nullable Throwable failure, long nowNs) {
    boolean opens = state != State.CLOSED;
    if (opens && !open) {
      openings = openings > 0 && nowNs - closedNs < QUIET_NANOS ? openings + 1 : 1;
      told = Long.bitCount(openings) == 1;
      if (told) {
        opened(
            openings == 1 ? "" : ", for the %d. time in a short period".formatted(openings),
            failure);
      }
    } else if (opens && !told && failures >= LASTING) {
      told = true;
      opened(", after %d failures in a row".formatted(failures), failure);
    } else if (!opens && open) {
      closedNs = nowNs;
      if (told) {
        log.info("guard {} is closed again and passes messages to its actor", path);
      }
    }
    open = opens;
  }

  private void opened(String more, @Nullable Throwable failure) {
    log.warn("guard {} is open{}; its messages wait: {}", path, more, String.valueOf(failure));
  }
}
