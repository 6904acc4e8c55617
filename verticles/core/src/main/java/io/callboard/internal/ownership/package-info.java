/**
 * Placement carried out: claims and releases leases, hands partitions over, publishes what this
 * node can own.
 *
 * <p>{@link PartitionOwnership} reads leases and members and does what the machine of {@link
 * io.callboard.placement} decides; {@link LeaseRefresh} schedules those reads: one at a time,
 * requests meanwhile are merged, failures are retried with backoff. {@link HandOvers} lets
 * partitions come to rest and gives their leases back; {@link OfferPublisher} publishes this node's
 * offer. {@link RunConditions} is what ownership means for one actor: whether this node may run it.
 * On the durable context.
 *
 * <h2>Denied access</h2>
 *
 * <p>An operation denied by the store's access control is not tried again: the actor rests with the
 * cause, and a partition is not claimed until an actor of it is resumed or the node starts again.
 * {@link AccessDenials} reports each denial once and makes the node not ready. Only the regular
 * reads (leases, mail) go on, and notice when a right is given back. A partition with a lease that
 * cannot be read is not claimed either; its actors rest with the cause, and go on at the first read
 * that succeeds.
 *
 * <h2>Invariants</h2>
 *
 * <p>P1 to P5 of {@link io.callboard.placement}. One read of leases and members is under way at a
 * time. A partition is released only at rest, or after the limit for that: turns under way are
 * durable by then or refused by the lease. What is offered is what was declared last; a publication
 * that failed is repeated after a second.
 *
 * <h2>Failure windows</h2>
 *
 * <p>The answer to a claim or a release is lost: the next read shows who owns the partition. The
 * node loses the store while it hands over: the partition is taken as lost, and read again. The
 * node closes before its leases are back: its session ends, and others claim.
 */
@NullMarked
@CheckReturnValue
package io.callboard.internal.ownership;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
