/**
 * Port to what is durable: leases, records, mailboxes and the one commit point. No implementation
 * is here: {@link io.callboard.store.memory} is one in memory, the module {@code
 * callboard-zookeeper} has that on ZooKeeper. Both pass the kit in the testkit module.
 *
 * <h2>Protocol</h2>
 *
 * <p>A {@link io.callboard.store.Commit} is applied whole or not at all. It carries two fences and
 * a chain:
 *
 * <ul>
 *   <li>the <b>incarnation</b> of the node's session, which {@link io.callboard.store.Store#renew}
 *       replaces after every unknown outcome, so that a request still under way can never be
 *       applied later;
 *   <li>the <b>lease</b> of each partition whose actors it writes, so that an owner that was
 *       replaced cannot write;
 *   <li>the node's <b>commit number</b>, one higher for each commit: after an unknown outcome the
 *       stored number tells whether the commit was applied, hence nothing is ever sent blindly
 *       twice.
 * </ul>
 *
 * <p>Each unit also names the version of the record that it read, so that two turns of one actor
 * cannot both commit.
 *
 * <p>A message over {@link io.callboard.store.Limits#INLINE_BYTES} is not in its mailbox: its body
 * goes to the {@link io.callboard.store.BlobStore} first, and a reference into the mailbox. The
 * commit that sends it writes to the blob that it is named, so that nobody who looks for garbage
 * can remove it meanwhile unnoticed; the commit that consumes it removes it. Parking keeps it, a
 * replay names it again, a discard or an edited replay removes it.
 *
 * <p>The events of a commit are one journal entry, whose name says what is in it. Snapshots are
 * listed in the record: a small one is there itself, a large one is a blob that the commit names
 * which lists it first, and that goes with the commit which lists it no more. Contents that an
 * actor keeps ({@link io.callboard.Blobs}) are beside all that: no commit names them, the actor's
 * program removes them.
 *
 * <p>How an actor failed is beside all that: its owner replaces it under its lease, in a request of
 * its own that is part of no commit.
 *
 * <h2>Invariants</h2>
 *
 * <p>S1: a unit's record is written, its consumed segments are gone and its messages are in their
 * mailboxes, or none of it. S2: sequence numbers of one mailbox rise by one, without gaps. S3: no
 * commit of an older incarnation is applied after {@code renew} succeeded. S4: no unit is applied
 * under a lease that is not current. S5: a parked message goes once, with the unit that says so; it
 * needs no lease, for nothing else of its actor is written. S6: what a waiting or parked message
 * names is in the blob log, whole; it goes with the message, in one commit.
 *
 * <h2>Failure windows</h2>
 *
 * <p>The reply to a commit is lost: outcome {@link io.callboard.store.CommitOutcome.Unknown};
 * renew, compare the commit number, send again only if it was not applied. A lease is lost while a
 * commit is under way: it is refused as {@code FENCED}; what was computed is dropped, the mail is
 * still in the mailbox for the next owner. A node dies between writing a blob and the commit that
 * names it: garbage that an operator's check finds by its age. Mail arrives unseen (a lost watch
 * event): the owner's sweep finds it.
 */
@NullMarked
@CheckReturnValue
package io.callboard.store;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
