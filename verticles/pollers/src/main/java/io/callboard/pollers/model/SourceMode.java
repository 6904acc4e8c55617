package io.callboard.pollers.model;

/** What operators want of a source, durably. */
public enum SourceMode {
  /** It polls. */
  RUN,
  /** It polls no more; what was taken is done. */
  PAUSED,
  /** Like paused, and what was taken and not begun is given back. */
  DRAINING
}
