package io.callboard.cell;

import io.callboard.CallboardException;
import io.callboard.CallboardOptions;
import io.callboard.admin.ActorStatus;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.placement.Loss;
import io.callboard.store.Failover;
import io.callboard.store.Lease;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Who owns which partition of the cell, and what can be done about it: for whoever runs a grid.
 * Methods return at once and may be called from any thread.
 */
public interface Leases {
  /** Every lease of the cell, as it is stored. */
  Future<Map<Partition, Lease>> stored();

  /** The partitions for whose actors there are mailboxes, or were. */
  Future<Set<Partition>> partitions();

  /** The actors of a partition that have mail, or messages that have not left yet. */
  Future<List<ActorPath>> withMail(Partition partition);

  /**
   * Actors in this node's partitions for which mail has been waiting while nothing here runs them,
   * in two looks at least ({@link CallboardOptions#sweepEvery}); some, if there are many.
   */
  Set<ActorPath> unhandled();

  /**
   * Hosted actors of this node that were given up ({@link ActorStatus.State#FAILED}), each with its
   * last failure, or an empty text; some, if there are many. {@link
   * io.callboard.admin.CallboardAdmin#resume} mends each.
   */
  Map<ActorPath, String> failed();

  /**
   * Looks at all leases now, claims what this node is to own, and looks for mail in what it owns.
   */
  Future<Void> look();

  /**
   * A live node is believed to be gone, which is safe to say at any moment: it is fenced by its
   * leases. With an empty {@code loss} it is believed so no more.
   *
   * @param bootId of a member; this node's own is ignored, and one that is no member is forgotten
   *     with the next look
   */
  void suspect(String bootId, Optional<Loss> loss);

  /**
   * Asks this node to give a partition back to the next of its ranking, once what works in it has
   * come to rest.
   *
   * @param epoch in which this node owns it
   * @return completes when that is asked for; fails with {@link CallboardException} of code {@code
   *     CONFLICT} if this node does not own it in that epoch, or nobody else offers it
   */
  Future<Void> handOver(Partition partition, long epoch);

  /** Whether this node gives back what others offer, and takes nothing that they do. */
  Future<Void> drain(boolean draining);

  /** The failovers of each role that was ever held, oldest first. */
  Future<Map<String, List<Failover>>> failovers();

  /** Replaces those of a role that this node holds by {@code lease}; at most the last 50 stay. */
  Future<Void> keepFailovers(Lease lease, String role, List<Failover> failovers);

  /** Registers for what becomes of this node's leases. */
  void listen(LeaseListener listener);
}
