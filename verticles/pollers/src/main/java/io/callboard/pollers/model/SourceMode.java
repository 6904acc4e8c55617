package io.callboard.pollers.model;

/** Mode that operators want of a source, durably. */
public enum SourceMode {
  /** Mode of a source that polls. */
  RUN,
  /** Mode of a source that polls no more; what was taken is done. */
  PAUSED,
  /** Like paused, and what was taken and not begun is given back. */
  DRAINING
}
