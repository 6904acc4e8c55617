/**
 * The store on ZooKeeper, and all that knows ZooKeeper and Curator: the embedded server, the
 * cluster manager of Vert.x.
 *
 * <h2>Layout of a cell, below its root</h2>
 *
 * <pre>
 * /fmt                       {f, partitions}: checked at each start
 * /h/&lt;node&gt;                  ephemeral: a live node; the only ephemeral of a node here
 * /i/&lt;node&gt;                  its incarnation; the data version is the fence
 * /s/&lt;node&gt;                  its commit number
 * /o/&lt;partition&gt;             lease; the data version is the fence
 * /a/&lt;partition&gt;/&lt;actor&gt;      record
 * /m/&lt;partition&gt;/&lt;actor&gt;~0    mailbox; children s&lt;count&gt;.&lt;bytes&gt;-&lt;sequence&gt; are its segments
 * /j/&lt;partition&gt;/&lt;actor&gt;/&lt;n&gt;  journal entry of turn n
 * /d/&lt;partition&gt;/&lt;actor&gt;~&lt;id&gt; parked message
 * </pre>
 *
 * <h2>Commit</h2>
 *
 * <p>One {@code multi}: check(incarnation), setData(commit number, at its version), check(each
 * lease), then for each unit setData(record, at its version), delete(consumed), create(journal
 * entry), delete(trimmed), create(parked), and for each receiving mailbox check(header) and one
 * sequential create with the messages of all units to it. The plain client is used: Curator repeats
 * what is not idempotent. A refused multi tells which operation failed, hence which unit.
 *
 * <h2>Invariants and failure windows</h2>
 *
 * <p>Those of {@link io.callboard.store}. After connection loss or expiry the outcome is unknown;
 * {@link io.callboard.zookeeper.ZooKeeperStore#renew} bumps the incarnation by compare-and-set and
 * only then reads the commit number: a request still under way then fails its first check. An
 * incarnation bearing another boot means that two processes have one name; the older one stops.
 *
 * <p>Recursive watches on owned partitions tell of new mail; they lose events while disconnected,
 * hence the sweeps of the owner. Mailboxes are bounded by their number of segments, which a sender
 * looks at before it has used up half of what was left when it last looked; several senders can
 * overshoot the limit together by that much.
 *
 * <p>To come with the durable core: generations of mailboxes, short messages in names, headers
 * flipped by the owner, several commits in flight.
 */
@NullMarked
@CheckReturnValue
package io.callboard.zookeeper;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
