package io.callboard.node;

import io.callboard.zookeeper.EnsembleOutage;
import java.time.Duration;

/**
 * Patience of a start whose ensemble is away: as long as a node waits for one, the start is tried
 * again. Pure: it is given the time.
 */
public final class StartRetry {
  /** For one that was reached and went away: a quorum elects a leader again, servers restart. */
  public static final Duration ONCE_REACHED = Duration.ofMinutes(1);

  private final Duration limit;
  private final long begunNs;
  private boolean reached;

  /**
   * Starts the time limit.
   *
   * @param limit patience with an ensemble that was never reached
   */
  public StartRetry(Duration limit, long begunNs) {
    this.limit = limit;
    this.begunNs = begunNs;
  }

  /** Notes that the ensemble has answered. */
  public void reached() {
    reached = true;
  }

  /** Returns whether the start is tried again after {@code failure}. */
  public boolean triesAgain(Throwable failure, long nowNs) {
    Duration patience = reached && limit.compareTo(ONCE_REACHED) < 0 ? ONCE_REACHED : limit;
    return EnsembleOutage.isCauseOf(failure) && nowNs - begunNs < patience.toNanos();
  }
}
