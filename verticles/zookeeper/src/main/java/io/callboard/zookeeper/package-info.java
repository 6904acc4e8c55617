/**
 * The store on ZooKeeper, and all that knows ZooKeeper and Curator: the embedded server, the
 * cluster manager of Vert.x.
 *
 * <h2>Layout of a cell, below its root</h2>
 *
 * <pre>
 * /fmt                       {f, minReader, partitions, cellId}: checked at each start
 * /h/&lt;node&gt;                  ephemeral: a live node; the only ephemeral of a node here
 * /i/&lt;node&gt;                  its incarnation; the data version is the fence
 * /s/&lt;node&gt;                  its commit number
 * /o/&lt;partition&gt;             lease; the data version is the fence
 * /a/&lt;partition&gt;/&lt;actor&gt;      record
 * /m/&lt;partition&gt;/&lt;actor&gt;~&lt;g&gt;  generation g of a mailbox; children s&lt;count&gt;.&lt;bytes&gt;-&lt;sequence&gt; are its segments
 * /j/&lt;partition&gt;/&lt;actor&gt;/&lt;n&gt;.&lt;events&gt;.&lt;bytes&gt;  journal entry of turn n
 * /d/&lt;partition&gt;/&lt;actor&gt;~&lt;id&gt; parked message
 * /x/&lt;partition&gt;/&lt;actor&gt;/&lt;n&gt;  entry n of its outbox: messages that are in no mailbox yet
 * /b/&lt;partition&gt;/&lt;actor&gt;~&lt;id&gt; header of a blob for that actor, the body of a
 *                            message or a snapshot; children 0, 1… are its parts
 * /f/&lt;partition&gt;/&lt;actor&gt;      how it failed: {f, failures}, 16 KiB at most
 * /t/&lt;partition&gt;              of a role: which nodes held it, {f, role, failovers}
 * /vertx                     what the cluster manager of Vert.x keeps
 * </pre>
 *
 * <h2>Commit</h2>
 *
 * <p>One {@code multi}: check(incarnation), setData(commit number, at its version), check(each
 * lease); for each unit setData(record, at its version), delete(consumed), create(journal entry),
 * delete(trimmed), create(parked), delete(unparked, by whoever commits), create, setData or
 * delete(entries of its outbox), setData(header of each blob that is named), delete(parts and
 * header of each blob that goes); for each receiving mailbox check(header) and one sequential
 * create with the messages of all units to it; at last the headers that the commit itself changes.
 * The plain client is used: Curator repeats what is not idempotent. Commits leave in the order of
 * their numbers and several may be under way; the commit number chains them. A renewal is asked for
 * when every outcome is known.
 *
 * <p>A refused multi names the operation that failed, hence the unit and the reason. Versions of
 * headers, names of segments and parents of journals are believed from memory; a refusal that comes
 * from such a belief corrects it and is told as {@code AGAIN}: the caller sends what was under way
 * once more. That is safe because the refusal is certain. After an unknown outcome nothing is sent
 * until a renewal.
 *
 * <h2>Blobs</h2>
 *
 * <p>The body of a large message is written before its commit, under the name of its receiver, this
 * node, its boot and a counter: first the header, then parts of 512 KiB, pipelined, at most 4 MiB
 * of all blobs under way, so that no packet is too large and commits are not held up for long. The
 * naming commit writes the header, so version 0 means that no commit ever named it; that, with the
 * version as the guard of its deletion, is what makes the removal of garbage safe beside commits.
 * What is read is checked against length and checksum; if it does not fit, once more after a sync.
 *
 * <h2>Failures</h2>
 *
 * <p>What is kept of how an actor failed is one znode beside its record, from its first failure on.
 * The owner of its partition replaces it in the background, in a multi of its own: check(lease),
 * setData or create. No commit touches it, no watch covers it, and the node reads it only after the
 * actor failed there, or when somebody asks; after a sync, so that nothing of an owner before is
 * overwritten unseen.
 *
 * <h2>The end of an actor</h2>
 *
 * <p>An actor that deletes itself does so in commits like any other; its record says with which
 * turn it began anew, so that entries which are still there belong to nobody. When nothing is left
 * of it, record, mailbox and parents go in one multi that checks the lease and deletes the record
 * at its version: a mailbox that is not empty refuses it. Numbers begin again then, so a push that
 * tells of mail that the actor had before could be taken for mail that it has: nothing is removed
 * before half a minute in which nobody spoke to it, and a push gives up after seconds.
 *
 * <h2>Ends of counters</h2>
 *
 * <p>ZooKeeper's number of a segment ends at 2³¹ in ways that lose mail, and a version of -1
 * matches anything. So a turn that reaches number 2³⁰ of a mailbox seals that generation and makes
 * the next in the same commit; senders that find a sealed header go on in the next; when the sealed
 * one is empty, the turn that goes on deletes it. Records, commit numbers, leases and incarnations
 * whose version reaches 2³⁰ are deleted and made again in the multi that writes them.
 *
 * <p>A fence that begins again must not fit a request of its former round. Of an incarnation: a
 * request is applied only while its session lives, which is a minute without its handle at most,
 * and a node renews, for each number, with a round trip; so none is left after 2³⁰ of them. Of a
 * lease: what a node believes of its leases could be older than that, if it slept. But it then
 * wakes up without a session, reads the leases of what it believes to own before it commits again
 * ({@link io.callboard.zookeeper.lease.Leases#look}), and does not send what an epoch refuses that
 * it has seen since: epochs are 64 bits, rise with each owner and stay in the lease's data over all
 * rounds. With a live session it sees every lease at each sweep, and 2³⁰ writes of one lease take
 * hours on any disk. A negative version is never used: what has one is told as damage.
 *
 * <h2>Renewal</h2>
 *
 * <p>A new handle if the session is over; bump the incarnation by compare-and-set; be a member
 * under the present session; read the commit number; set the watches, if the handle is new. The
 * number is read after the bump: a commit still under way fails its first check, so the number
 * cannot change any more. An incarnation of another boot means that another process took the name:
 * this one stops for good.
 *
 * <h2>Invariants</h2>
 *
 * <p>S1 to S4 of {@link io.callboard.store}, and: Z1, the first segment of a mailbox is the one
 * that its record expects (checked at each load: numbers have no gaps, so a difference is a stale
 * view or damage). Z2, no request and no response exceeds a packet: sizes are known before sending.
 * Z3, a cell's {@code /fmt} is its last znode to be made, and nothing is written before it was
 * understood.
 *
 * <h2>Access</h2>
 *
 * <p>With credentials every znode is closed to all but their holders ({@code CREATOR_ALL}, set at
 * each creation, for lists of rights are not inherited); without, open. A denial is final: the
 * operation fails as {@code DENIED}, nothing is tried again.
 *
 * <h2>Orphans</h2>
 *
 * <p>A crash between the steps of making a mailbox leaves a record without one, or parents of a
 * partition that hold nothing; nodes that never come back leave {@code /i} and {@code /s}; a crash
 * between a blob and its commit leaves the blob. They cost nothing but room; {@link
 * io.callboard.zookeeper.fsck.Fsck} removes them.
 *
 * <h2>Damage</h2>
 *
 * <p>What cannot be read stops what depends on it, and nothing else: a lease its partition, a
 * record its actor, a mailbox's header the units that send there (CORRUPT: what is told from
 * outside fails, a turn is tried again and its message parked). Names that are not Callboard's are
 * passed over by nodes and told by {@link io.callboard.zookeeper.fsck.Fsck}, as is every damaged
 * znode but mail, parked messages and bodies, which are told by whoever reads them. A member that
 * cannot be read stops claims in the whole cell: its node may own something.
 *
 * <h2>Failure windows</h2>
 *
 * <ul>
 *   <li>Recursive watches lose events while disconnected: the owner's sweeps find the mail.
 *   <li>A mailbox is bounded by its messages, which the names of its segments tell, and by {@link
 *       io.callboard.store.Limits#MAILBOX_SEGMENTS} segments, whose listing must fit a packet. Its
 *       owner flips the header to FULL at eight tenths of the limit and to OPEN at four tenths, in
 *       its commits; that changes the version which senders check. Whether the owner lives or not,
 *       a sender looks again when it has used up half of the room that it saw, and never less than
 *       1/{@value io.callboard.store.Limits#BLIND_SHARE} of the limit. So several senders together
 *       overshoot by that share each, and by what they have under way.
 *   <li>A sender counts the room of the last generation only: while a mailbox changes it may hold
 *       what is left of the old one besides its limit.
 *   <li>An ephemeral that an earlier session left vanishes later: it is replaced, never reused.
 *   <li>The reply to a claim is lost: the lease may be this node's; the next look at the leases
 *       tells.
 * </ul>
 *
 * <p>To come: short messages in names, outbox lanes.
 */
@NullMarked
@CheckReturnValue
package io.callboard.zookeeper;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
