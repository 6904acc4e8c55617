/**
 * The commit as one multi: its operations, its outcome, the order of several; and the load of an
 * actor, which reads what commits wrote.
 *
 * <h2>Protocol</h2>
 *
 * <p>{@code CommitRequest} makes one {@code multi}: check(incarnation), setData(commit number, at
 * its version), check(each lease); for each unit setData(record, at its version), delete(consumed),
 * create(journal entry), create, setData or delete(entries of its outbox), delete(trimmed),
 * create(parked), delete(unparked, whichever node commits), setData(header of each blob that is
 * named), delete(parts and header of each blob that goes); for each receiving mailbox check(header)
 * and one sequential create with the messages of all units to it; at last the headers that the
 * commit itself changes.
 *
 * <p>{@link io.callboard.zookeeper.internal.commit.Commits} sends commits in the order of their
 * numbers; several may be under way, and the commit number chains them. A refused multi names the
 * operation that failed, hence the unit and the reason. A failure before anything is sent is a
 * refusal, too: of the unit that needs what is denied, or of one that is not known ({@code
 * UNSENDABLE}), which is found by sending fewer at a time. Of a blob that goes and is gone already,
 * the delete is left out.
 *
 * <p>Versions of headers, names of segments and parents of journals and outboxes are beliefs, kept
 * in memory. A refusal that comes from a wrong belief corrects it and is reported as {@code AGAIN}:
 * the caller sends what was under way once more. That is safe because the refusal is certain. After
 * an unknown outcome nothing is sent until a renewal, which is asked for when every outcome is
 * known.
 *
 * <p>{@link io.callboard.zookeeper.internal.commit.ActorReader} reads lease, record and header of
 * one moment, then lists the mailbox. While the lease is held no other node deletes a segment, so
 * the listing holds at least the mail of that moment.
 *
 * <h2>Invariants</h2>
 *
 * <ul>
 *   <li>I1: each message of a committed turn is in exactly one place: its receiver's mailbox, its
 *       sender's outbox, parked, or consumed by a committed record.
 *   <li>I2: commits of a node are applied in the order of their numbers, so messages of one sender
 *       reach a mailbox in the order in which they were sent.
 *   <li>I3: a record is written exactly when its consumed messages are gone and its messages are in
 *       their mailboxes or in its outbox (S1).
 *   <li>I6: a load sees one record and a prefix of the mailbox that belongs to it. Z1: the first
 *       segment of a mailbox is the one that its record expects, checked at each load: numbers have
 *       no gaps, so a difference is a stale view, which a sync mends, or damage.
 *   <li>I7: an outcome is reported only when it is known; nothing that depends on a commit may
 *       leave before.
 * </ul>
 *
 * <h2>Failure windows</h2>
 *
 * <ul>
 *   <li>The reply is lost: the outcome is unknown, the session is renewed, and the stored commit
 *       number tells whether the commit was applied. It is sent again only if it was not.
 *   <li>The lease is lost while a commit is under way: it is refused as {@code FENCED}, and the
 *       mail is still there for the next owner.
 *   <li>A quota of ZooKeeper's is used up: a receiver's mailbox counts as full, the writer's own
 *       znodes as too large.
 * </ul>
 */
@NullMarked
@CheckReturnValue
package io.callboard.zookeeper.internal.commit;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
