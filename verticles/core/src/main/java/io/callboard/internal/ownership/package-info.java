/**
 * Placement carried out: claims and releases leases, hands partitions over, publishes what this
 * node can own.
 *
 * <p>{@link PartitionOwnership} reads leases and members and does what the machine of {@link
 * io.callboard.placement} decides; {@link LeaseRefresh} schedules those reads: one at a time,
 * requests meanwhile are merged, failures are retried with backoff. {@link HandOvers} lets
 * partitions come to rest and gives their leases back; {@link OfferPublisher} publishes this node's
 * offer. On the durable context.
 *
 * <h2>Denied access</h2>
 *
 * <p>An operation denied by the store's access control is not tried again: the actor rests with the
 * cause, and a partition is not claimed until an actor of it is resumed or the node starts again.
 * {@link AccessDenials} reports each denial once and makes the node not ready. Only the regular
 * reads (leases, mail) go on, and notice when a right is given back. A partition with a lease that
 * cannot be read is not claimed either; its actors rest with the cause, and go on at the first read
 * that succeeds.
 */
@NullMarked
@CheckReturnValue
package io.callboard.internal.ownership;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
