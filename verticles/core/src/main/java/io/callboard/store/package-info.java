/**
 * Port to the store, which keeps all durable data: leases of partitions, records of actors, their
 * mailboxes and blobs. All turns are written by {@link io.callboard.store.Store}'s one commit.
 * {@link io.callboard.store.memory} implements the port in memory, the module {@code
 * callboard-zookeeper} on ZooKeeper. Both pass the contract in the testkit module.
 *
 * <h2>Protocol</h2>
 *
 * <p>A {@link io.callboard.store.Commit} has one unit for each actor whose turn it writes, and is
 * applied whole or not at all. It names three things without which the store refuses it:
 *
 * <ul>
 *   <li>the <b>incarnation</b> of the node's session, which {@link io.callboard.store.Store#renew}
 *       replaces after every unknown outcome, so that a request still under way can never be
 *       applied later;
 *   <li>the <b>lease</b> of each partition whose actors it writes, so that a former owner cannot
 *       write;
 *   <li>the node's <b>commit number</b>, one higher for each commit: after an unknown outcome the
 *       stored number tells whether the commit was applied, so that it is never applied twice.
 * </ul>
 *
 * <p>Each unit also names the version of the record that it read, so that two turns of one actor
 * cannot both commit.
 *
 * <p>The body of a message over {@link io.callboard.store.Limits#INLINE_BYTES} is written to the
 * {@link io.callboard.store.BlobStore} first; its mailbox has only a reference. The commit that
 * sends the message marks the blob as named, so that a collector of garbage that removes it
 * meanwhile is noticed; the commit that consumes the message removes the blob. Parking keeps the
 * blob, a replay names it again, a discard or an edited replay removes it.
 *
 * <p>The events of a commit are one journal entry, whose name tells its contents. The record of an
 * actor lists its snapshots: a small one is in the record, a large one is a blob, which the first
 * commit that lists it names, and the first one that does not list it any more removes. No commit
 * names the contents that an actor keeps itself ({@link io.callboard.Blobs}); its program removes
 * them.
 *
 * <p>Failures of an actor are not part of commits, either: its owner replaces their record under
 * its lease, in a request of its own.
 *
 * <h2>Invariants</h2>
 *
 * <p>S1: the record of a unit is written, its consumed segments are removed and its messages are in
 * their mailboxes, or none of that. S2: sequence numbers of one mailbox rise by one, without gaps.
 * S3: no commit of an older incarnation is applied after {@code renew} succeeded. S4: no unit is
 * applied under a lease that is not current. S5: a parked message is removed once, by the unit that
 * says so; that needs no lease, as nothing else of its actor is written. S6: the blob of a waiting
 * or parked message is in the blob log, whole, and is removed with the message, in one commit.
 *
 * <h2>Failure windows</h2>
 *
 * <p>The reply to a commit is lost: outcome {@link io.callboard.store.CommitOutcome.Unknown};
 * renew, compare the commit number, send again only if it was not applied. A lease is lost while a
 * commit is under way: it is refused as {@code FENCED}, and its turns are dropped; their mail is
 * still in the mailboxes for the next owner. A node dies between writing a blob and the commit that
 * names it: garbage that an operator's check finds by its age. Mail arrives unseen (a lost watch
 * event): the owner's sweep finds it.
 */
@NullMarked
@CheckReturnValue
package io.callboard.store;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
