package io.callboard.placement;

/** How a partition came to be without an owner. */
public enum Loss {
  /** Nobody has owned it yet. */
  NONE_BEFORE,
  /** It was given back. */
  GIVEN_BACK,
  /** The owner's process does not listen any more: the network of its host refuses. */
  PROCESS_GONE,
  /** Several nodes hear nothing of the owner. */
  SILENT,
  /** The owner is no member of the cell any more. */
  SESSION_ENDED,
  /** It is this node's, and the answer to its claim was lost. */
  OWN
}
