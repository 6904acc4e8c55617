/**
 * Leases of partitions by compare-and-set, the watches of an owner, and the removal of ended
 * actors.
 *
 * <h2>Protocol</h2>
 *
 * <p>A lease is {@code /o/<partition>}: {epoch, owner, boot}; its data version is the fence that
 * each commit to the partition checks. A claim makes the parents of the partition, sets its
 * watches, and then, in one multi, checks this node's incarnation and writes the lease at the
 * version that was seen, with the next epoch. A release writes the lease without an owner. The
 * watches stand before the claim, so mail that arrives right after it is seen.
 *
 * <p>{@link io.callboard.zookeeper.internal.lease.CellWatches}: recursive watches on members,
 * leases and the mailboxes of each owned partition. The client sets them again when it reconnects;
 * what happened meanwhile is not reported, so listeners read for themselves then.
 *
 * <h2>Invariants</h2>
 *
 * <p>I4: every applied multi that writes a record or consumes mail of a partition carries the
 * version of its lease that is current at that moment (S4); epochs rise strictly with each owner;
 * between two changes of a lease at most one node commits under it.
 *
 * <p>The versions of a lease begin again at 2³⁰ (I8), and what a node believes of its leases could
 * be older than that, if it slept. But it then wakes up without a session, reads the leases that it
 * believes to own before it commits again ({@link
 * io.callboard.zookeeper.internal.lease.LeaseStore#look}), and sends nothing under an epoch older
 * than the newest that it has seen ({@link io.callboard.zookeeper.internal.lease.SeenEpochs}):
 * epochs are 64 bits and stay in the lease's data over all rounds. With a live session it sees
 * every lease at each sweep, and 2³⁰ writes of one lease take hours on any disk.
 *
 * <h2>The end of an actor</h2>
 *
 * <p>An actor that deletes itself does so in commits like any other; its record says with which
 * turn it began anew, so entries that are still there from before belong to no life. When nothing
 * is left of it, {@link io.callboard.zookeeper.internal.lease.ActorRemoval} deletes record, mailbox
 * and parents in one multi that checks incarnation and lease and deletes the record at its version:
 * a mailbox that is not empty refuses it. Numbers begin again then, so a late push for the earlier
 * actor could be taken for mail of the new one: nothing is removed before half a minute without a
 * message to the actor, and a push gives up after seconds.
 *
 * <p>Actors of a partition go together, up to {@link io.callboard.store.Limits#REMOVED_ACTORS},
 * under the same two checks. Their multi holds for each what a multi of its own would hold, and is
 * applied whole or not at all: so each goes only if all of its own conditions hold at that moment.
 * One look at the parked messages of the partition, and one at the parents, serves all: only the
 * owner parks messages and makes parents of entries, in commits that change the version of the
 * record. A multi that an actor refused has removed none; then each goes in a multi of its own,
 * with the same checks, and what was in the way stays. One that the lease or the incarnation
 * refused is not sent again.
 *
 * <h2>Failure windows</h2>
 *
 * <ul>
 *   <li>The reply to a claim is lost: the lease may be this node's; the next read of the leases
 *       tells.
 *   <li>Recursive watches lose events while disconnected: the owner's sweeps find the mail, and the
 *       reads of the leases find their changes.
 *   <li>A lease that cannot be read: its partition has no owner until an operator mends it.
 * </ul>
 */
@NullMarked
@CheckReturnValue
package io.callboard.zookeeper.internal.lease;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
