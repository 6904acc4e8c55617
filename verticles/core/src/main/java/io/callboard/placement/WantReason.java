package io.callboard.placement;

/**
 * Reason why a node wants a partition, which determines when it releases it.
 *
 * @hidden for the toolkit alone
 */
public enum WantReason {
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
