package io.callboard.cell;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.placement.Decisions.Claim;
import io.callboard.store.Lease;
import java.util.List;

/** Listener of the leases of this node. Called on an event loop, which it must not block. */
public interface LeaseListener {
  /**
   * Reports the leases that this node has when the listener is registered. Called once, possibly
   * after the first {@link #gained}.
   */
  default void held(List<Lease> leases) {}

  /**
   * Reports that this node has gained a partition.
   *
   * @param claim the claim by which it was gained
   */
  default void gained(Lease lease, Claim claim) {}

  /** Reports that this node has lost a partition. */
  default void lost(Partition partition) {}

  /** Reports that the actor of a role has started here. */
  default void serving(ActorPath role, Lease lease) {}
}
