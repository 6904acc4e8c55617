package io.callboard.bootstrap;

import io.callboard.zookeeper.EnsembleOutage;
import java.time.Duration;

/**
 * Whether a start that failed is tried again: if the ensemble was away, for as long as a node waits
 * for one. Pure: it is given the time.
 */
final class StartRetry {
  /** For one that was reached and went away: a quorum elects a leader again, servers restart. */
  static final Duration ONCE_REACHED = Duration.ofMinutes(1);

  private final Duration limit;
  private final long begunNs;
  private boolean reached;

  /**
   * @param limit for an ensemble that was never reached
   */
  StartRetry(Duration limit, long begunNs) {
    this.limit = limit;
    this.begunNs = begunNs;
  }

  /** The ensemble has answered. */
  void reached() {
    reached = true;
  }

  /** Whether the start is tried again after {@code failure}. */
  boolean triesAgain(Throwable failure, long nowNs) {
    Duration patience = reached && limit.compareTo(ONCE_REACHED) < 0 ? ONCE_REACHED : limit;
    return EnsembleOutage.isCauseOf(failure) && nowNs - begunNs < patience.toNanos();
  }
}
