package io.callboard.cell;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.placement.Decisions.Claim;
import io.callboard.store.Lease;

/** Told about the partitions of this node, on an event loop, which it must not block. */
public interface LeaseListener {
  /**
   * This node owns a partition.
   *
   * @param claim how that came to be
   */
  default void gained(Lease lease, Claim claim) {}

  /** It does not, any more. */
  default void lost(Partition partition) {}

  /** The actor of a role has started here. */
  default void serving(ActorPath role, Lease lease) {}
}
