package io.callboard.placement;

/** Why a node wants a partition, hence when it gives it back. */
public enum Kind {
  /**
   * An actor in it was spawned here by name: it stays until its node goes, unless others host the
   * space.
   */
  SPAWNED,
  /** A role: it stays until its node goes, drains, or is asked to hand it over. */
  ROLE,
  /** The space is hosted here: the first of the ranking is to own it. */
  HOSTED
}
