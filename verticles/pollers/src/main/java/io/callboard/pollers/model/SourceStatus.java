package io.callboard.pollers.model;

/** Status of a source. */
public enum SourceStatus {
  /** Status of a source that polls. */
  POLLING,
  /**
   * Status of a source that does not poll, as all that its credit allows is taken and not
   * acknowledged.
   */
  FULL,
  /** Status of a source that an operator has paused. */
  PAUSED,
  /** Status of a source that does not poll, and waits for the end of what was taken. */
  DRAINING,
  /** Status of a source that does not poll, and has taken nothing. */
  DRAINED,
  /** Status of a source that is being opened, and has not failed before. */
  OPENING,
  /**
   * Status of a source that fails: it is closed after a failure and opened again after a while,
   * until its polls succeed again. What waits is not known if it says that nothing does.
   */
  BACKOFF,
  /**
   * Status of a source that does not poll, as the brake of its workflow leaves nothing or there is
   * no such workflow.
   */
  BRAKED,
  /**
   * Status of a source that does not poll, as what its messages become is refused at present, or a
   * builder cannot be asked and messages that wait for that use up its credit.
   */
  REFUSED,
  /** Status of a source that takes requests on every node. */
  ACCEPTING,
  /** No node answers for it. */
  ABSENT
}
