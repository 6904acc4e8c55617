/**
 * Layout of a cell: the paths of its znodes, and the formats of those that belong to no other room.
 *
 * <h2>Below the root of a cell</h2>
 *
 * <pre>
 * /fmt                       {f, minReader, partitions, cellId}: checked at each start
 * /h/&lt;node&gt;                  ephemeral: a live node; the only ephemeral of a node here
 * /i/&lt;node&gt;                  its incarnation; the data version is the fence
 * /s/&lt;node&gt;                  its commit number
 * /o/&lt;partition&gt;             lease; the data version is the fence
 * /a/&lt;partition&gt;/&lt;actor&gt;      record
 * /m/&lt;partition&gt;/&lt;actor&gt;~&lt;g&gt;  generation g of a mailbox; its children
 *                            s&lt;count&gt;.&lt;bytes&gt;-&lt;sequence&gt; are its segments
 * /j/&lt;partition&gt;/&lt;actor&gt;/&lt;n&gt;.&lt;events&gt;.&lt;bytes&gt;
 *                            journal entry of turn n
 * /d/&lt;partition&gt;/&lt;actor&gt;~&lt;id&gt; parked message
 * /x/&lt;partition&gt;/&lt;actor&gt;/&lt;n&gt;  entry n of its outbox: messages in no mailbox yet
 * /b/&lt;partition&gt;/&lt;actor&gt;~&lt;id&gt; header of a blob for that actor, the body of a
 *                            message or a snapshot, or what it keeps (an id that ends in
 *                            {@code .kept}); children 0, 1… are its parts
 * /f/&lt;partition&gt;/&lt;actor&gt;      how it failed: {f, failures}, 16 KiB at most
 * /t/&lt;partition&gt;              of a role: which nodes held it, {f, role, failovers}
 * /e/&lt;partition&gt;              of a role: its document, which its holder keeps
 * /vertx                     znodes of the cluster manager of Vert.x
 * </pre>
 *
 * <p>{@link io.callboard.zookeeper.internal.layout.Layout} is pure: it makes and parses names, and
 * reads nothing. Whether a name is Callboard's is decided there alone; nodes pass over all others,
 * and {@link io.callboard.zookeeper.fsck.Fsck} reports them.
 *
 * <h2>Protocol</h2>
 *
 * <p>Every stored value has its format as {@code f}, and is written in the oldest format that can
 * hold its content. A node reads {@code /fmt} first: a cell whose {@code minReader} is above the
 * format that the node knows is refused.
 *
 * <h2>Invariants</h2>
 *
 * <p>Z3: {@code /fmt} is the last znode of a new cell to be made, and nothing is written to a cell
 * before its format was understood. The number of partitions never changes.
 *
 * <h2>Failure windows</h2>
 *
 * <p>A node dies while it makes a cell: there is no {@code /fmt} yet, and the next node makes what
 * is missing. A cell of an earlier version lacks tops that came later: each node makes them when it
 * opens the cell.
 */
@NullMarked
@CheckReturnValue
package io.callboard.zookeeper.internal.layout;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
