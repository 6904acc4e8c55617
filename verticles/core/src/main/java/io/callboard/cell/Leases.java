package io.callboard.cell;

import io.callboard.CallboardException;
import io.callboard.CallboardOptions;
import io.callboard.admin.ActorStatus;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.placement.VacancyReason;
import io.callboard.store.Failover;
import io.callboard.store.Lease;
import io.callboard.store.StoredActors;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Access to the partition leases of the cell, and control of those of this node, for programs that
 * run a grid. Methods return at once and may be called from any thread.
 */
public interface Leases {
  /** Completes with every lease of the cell, as it is stored. */
  Future<Map<Partition, Lease>> stored();

  /** Completes with the partitions whose actors have, or had, mailboxes. */
  Future<Set<Partition>> partitions();

  /** Returns the number of partitions that each space of the cell has; fixed at its birth. */
  int partitionsOfSpace();

  /**
   * Streams the stored actors of one partition within {@code prefix} to {@code page}, in no order,
   * some at a time. What was committed before this node gained the partition is seen; what is
   * committed meanwhile may be.
   *
   * @param page called on the caller's context, one call after another; if it throws, nothing more
   *     is read
   * @return completes when all were passed on; fails with what {@code page} threw
   */
  Future<Void> actors(Partition partition, ActorPath prefix, Consumer<StoredActors> page);

  /**
   * Completes with the actors of a partition that have mail, or messages that have not left yet.
   */
  Future<List<ActorPath>> withMail(Partition partition);

  /**
   * Returns the actors in this node's partitions for which mail has been waiting while nothing here
   * runs them, in at least two sweeps ({@link CallboardOptions#sweepEvery}); only some, if there
   * are many.
   */
  Set<ActorPath> unhandled();

  /**
   * Returns the hosted actors of this node that were given up ({@link ActorStatus.State#FAILED}),
   * each with its last failure, or an empty text; only some, if there are many. {@link
   * io.callboard.admin.CallboardAdmin#resume} restarts each.
   */
  Map<ActorPath, String> failed();

  /**
   * Reads all leases now, claims the partitions that this node should own, and sweeps its
   * partitions for mail.
   */
  Future<Void> look();

  /**
   * Suspects a node of having died, which is safe at any time, because a node that lives is fenced
   * by its leases. An empty {@code loss} withdraws the suspicion.
   *
   * @param bootId of a member; this node's own is ignored, and one that is no member is forgotten
   *     at the next read of the leases
   */
  void suspect(String bootId, Optional<VacancyReason> loss);

  /**
   * Hands a partition over to the next node of its ranking, once its actors have come to rest.
   *
   * @param epoch the epoch in which this node owns it
   * @return completes when the request is accepted; fails with {@link CallboardException} of code
   *     {@code CONFLICT} if this node does not own it in that epoch, or no other node offers it
   */
  Future<Void> handOver(Partition partition, long epoch);

  /**
   * Sets whether this node drains: releases the leases that other nodes offer to take, and claims
   * none of them.
   */
  Future<Void> drain(boolean draining);

  /**
   * Completes with the failovers of each role that was ever held, oldest first; those that cannot
   * be read are left out.
   */
  Future<Map<String, List<Failover>>> failovers();

  /**
   * Stores the failovers of a role that this node holds by {@code lease}, in place of the former
   * ones; at most the last 50 are kept.
   */
  Future<Void> keepFailovers(Lease lease, String role, List<Failover> failovers);

  /**
   * Completes with the document of a role: what its holder keeps beside its actor for anyone to
   * read; empty if there is none. Fails with {@link io.callboard.store.StoreException} if the store
   * cannot be read.
   */
  Future<Optional<byte[]>> document(String role);

  /**
   * Stores the document of a role that this node holds by {@code lease}, in place of the former
   * one. Fails with {@link io.callboard.store.StoreException} of kind {@code CONFLICT} if another
   * node holds the role meanwhile, and if the document is larger than it may be.
   *
   * @param document at most {@link io.callboard.store.Limits#DOCUMENT_BYTES}
   */
  Future<Void> keepDocument(Lease lease, byte[] document);

  /**
   * Registers a listener of this node's leases, which is called with those that the node has
   * already ({@link LeaseListener#held}).
   */
  void listen(LeaseListener listener);
}
