package io.callboard.zookeeper.fsck;

import java.time.Duration;

/**
 * Options of a run of {@link Fsck}.
 *
 * @param fix whether orphans are deleted; else they are listed
 * @param forgetNodes whether, with {@code fix}, forgotten nodes are deleted, too
 * @param forgottenAfter how long a node must not have been seen to be forgotten; an hour at least
 */
public record FsckOptions(boolean fix, boolean forgetNodes, Duration forgottenAfter) {
  /** Default time after which a node that was not seen is forgotten: 30 days. */
  public static final Duration DEFAULT_FORGOTTEN_AFTER = Duration.ofDays(30);

  /** Options of a run that lists anomalies and changes nothing. */
  public static final FsckOptions DRY_RUN = new FsckOptions(false, false, DEFAULT_FORGOTTEN_AFTER);

  /**
   * Creates options.
   *
   * @throws IllegalArgumentException if {@code forgottenAfter} is below an hour
   */
  public FsckOptions {
    if (forgottenAfter.compareTo(Duration.ofHours(1)) < 0) {
      throw new IllegalArgumentException(
          "a node is forgotten after an hour at least, not " + forgottenAfter);
    }
  }
}
