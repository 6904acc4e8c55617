package io.callboard.placement;

/** Cause for which a partition has no owner. */
public enum VacancyReason {
  /** The partition has had no owner yet. */
  NONE_BEFORE,
  /** The owner released it. */
  GIVEN_BACK,
  /** The owner's process does not listen any more: the network of its host refuses. */
  PROCESS_GONE,
  /** Several nodes have received no sign of life of the owner. */
  SILENT,
  /** The owner is no member of the cell any more. */
  SESSION_ENDED,
  /** The node itself owns it, and the answer to its claim was lost. */
  OWN
}
