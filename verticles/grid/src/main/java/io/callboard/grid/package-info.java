/**
 * Grid of the nodes of a cell: roles with holder and standby, detection of lost nodes, the grid
 * monitor. Built on Callboard's public API alone.
 *
 * <h2>Roles</h2>
 *
 * <p>A role is an actor of which one runs in the cell: {@code /roles/<role>}, a durable actor in a
 * partition of its own ({@link io.callboard.codecs.Partition#ofRole}). Every node that declares it
 * ({@link io.callboard.grid.Grid#role}) is a candidate. The <em>holder</em> has the lease of the
 * partition; the <em>standby</em> is the first other node in the ranking of the candidates that
 * runs on another machine than the holder, or the first other one if none does. It claims at once
 * when the holder is gone. Newcomers never pre-empt. Epoch, fence and turn are those of every
 * durable actor, and so is the ref: messages sent during a failover wait in the mailbox.
 *
 * <p>A holder that leaves hands over: it comes to rest and gives the lease back; the store notifies
 * all nodes, and the standby claims. {@link io.callboard.grid.RoleLog} writes each failover down,
 * with its cause and its gap, under the lease of the new holder.
 *
 * <h2>Detecting</h2>
 *
 * <p>The store reports that a node is gone, when its session ends. {@link
 * io.callboard.grid.FailureDetector} is faster: each node sends heartbeats to some others, which
 * answer them. A refused connection says that the process is gone, at once. Silence proves little:
 * another node is asked, and only if it does not hear the silent node either is that one suspected.
 * With two nodes there is no third to ask, and the session decides. A node that was itself stalled
 * for some heartbeats suspects no other. A suspicion that was wrong makes the detector slower for
 * that node. (After SWIM and Lifeguard.)
 *
 * <p>All of this is a hint: a suspected node is fenced by its leases, so a wrong suspicion costs
 * work and breaks nothing.
 *
 * <h2>Monitoring</h2>
 *
 * <p>The monitor is a role. At random intervals its holder reads leases, members and which
 * partitions have mailboxes, then the mail of partitions without an owner; {@link
 * io.callboard.grid.Scan} derives from that, and from the reading before, what is wrong. It asks no
 * node anything: mail without an actor, which only an owner can see, each {@link
 * io.callboard.grid.NodeActor} publishes as the fact {@code grid.unhandled} of its member, and
 * hosted actors that gave up as {@code grid.failed}; their node resumes these, after a pause that
 * doubles ({@link io.callboard.grid.CrashLoopBackoff}). The findings are the fact {@code
 * grid.findings} of the holder, published again until that succeeded. Every node shows it, and the
 * holder counts it in its metrics, only while the holder has the lease of the role. A node that can
 * mend a finding is asked, through the mailbox of its {@code NodeActor}, to look at the leases and
 * for mail.
 *
 * <h2>Invariants</h2>
 *
 * <p>G1: a role has at most one holder in each epoch, and no effect of an earlier holder is durable
 * once the next epoch began. G2: with one live candidate and a quorum a role gets a holder. G3: a
 * failover that is in the history has happened. G4: no node is suspected because of one node's
 * silence to one other.
 *
 * <h2>Failure windows</h2>
 *
 * <p>A holder dies before its failover was written: it is missing in the history, and the epochs
 * show it. A holder that was paused and replaced does not know for a moment: its effects on the
 * outside world happen; its commits are refused. The gap is measured by the new holder: after a
 * crash from the last sign of life, up to a heartbeat before the crash, or not at all if it heard
 * none; after a hand-over by the clocks of both nodes.
 */
@NullMarked
@CheckReturnValue
package io.callboard.grid;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
