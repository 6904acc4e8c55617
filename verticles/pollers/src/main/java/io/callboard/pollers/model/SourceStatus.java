package io.callboard.pollers.model;

/** What a source does now. */
public enum SourceStatus {
  /** It polls. */
  POLLING,
  /** It does not poll: as much as its credit allows is taken and not acknowledged. */
  FULL,
  /** It does not poll: an operator has paused it. */
  PAUSED,
  /** It does not poll, and waits for the end of what was taken. */
  DRAINING,
  /** It does not poll, and nothing is taken. */
  DRAINED,
  /** It is being opened, and has not failed before. */
  OPENING,
  /**
   * It is failing: closed after a failure, and opened again after a while, until its polls succeed
   * again. What waits is not known if it says that nothing does.
   */
  BACKOFF,
  /** It does not poll: the brake of its workflow leaves nothing, or there is no such workflow. */
  BRAKED,
  /**
   * It does not poll: what its messages become is refused at present, or a builder cannot be asked
   * and messages that wait for that use up its credit.
   */
  REFUSED,
  /** It takes requests on every node. */
  ACCEPTING,
  /** No node answers for it. */
  ABSENT
}
