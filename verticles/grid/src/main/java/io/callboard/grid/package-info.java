/**
 * Members, roles, failover: what makes several nodes one grid. Built on the front door alone.
 *
 * <h2>Roles</h2>
 *
 * <p>A role is an actor of which one runs in the cell: {@code /roles/<role>}, a durable actor in a
 * partition of its own ({@link io.callboard.codecs.Partition#ofRole}). Every node that declares it
 * ({@link io.callboard.grid.Grid#role}) is a candidate. The <em>holder</em> has the lease of the
 * partition; the <em>standby</em> is the first other node in the ranking of the candidates, the one
 * that claims at once when the holder is gone. Newcomers never pre-empt. Epoch, fence and turn are
 * those of every durable actor, and so is the ref: what is told during a failover waits in the
 * mailbox.
 *
 * <p>A holder that goes hands over: it comes to rest, gives the lease back, everybody hears of
 * that, the standby claims. {@link io.callboard.grid.RoleLog} writes each failover down, with its
 * cause and its gap, under the lease of the new holder.
 *
 * <h2>Detecting</h2>
 *
 * <p>That a node is gone tells the store, when its session ends. {@link io.callboard.grid.Detector}
 * is faster: each node sends a pulse to some others, which they answer. A connection that is
 * refused says that the process is gone, at once. Silence says little; another node is asked, and
 * only if that hears nothing either the silent one is suspected. With two nodes nobody can be
 * asked, and the session decides. Who did not get to its own work for some pulses suspects nobody.
 * A suspicion that was wrong makes the detector slower for that node.
 *
 * <p>All of this is a hint: a suspected node is fenced by its leases, so a wrong suspicion costs
 * work and breaks nothing.
 *
 * <h2>Monitoring</h2>
 *
 * <p>The monitor is a role. At random intervals its holder reads leases, members and which
 * partitions have mailboxes, then the mail of those that nobody owns; {@link
 * io.callboard.grid.Scan} tells from that, and from what it saw the time before, what is wrong. It
 * asks no node anything: what only an owner can see, mail that it runs nothing for, each {@link
 * io.callboard.grid.NodeActor} publishes as the fact {@code grid.unhandled} of its member, and
 * hosted actors that gave up as {@code grid.failed}; their node resumes these, after a pause that
 * doubles ({@link io.callboard.grid.CrashLoopBackoff}). What is found is the fact {@code
 * grid.findings} of the holder, published again until that was done. Every node tells it, and the
 * holder counts it in its metrics, only while that one has the lease of the role. A node that could
 * mend a thing is told, by way of the mailbox of its {@code NodeActor}, to look at the leases and
 * for mail.
 *
 * <h2>Invariants</h2>
 *
 * <p>G1: a role has at most one holder in each epoch, and no effect of a holder before is durable
 * once the next epoch began. G2: with one live candidate and a quorum a role gets a holder. G3: a
 * failover that is in the history has happened; G4: nobody is suspected because of one node's
 * silence to one other.
 *
 * <h2>Failure windows</h2>
 *
 * <p>A holder dies before its failover was written: it is missing in the history, and the epochs
 * tell. A holder that was paused and replaced does not know for a moment: what it does to the world
 * by itself happens; what it commits is refused. The gap is measured by the new holder: after a
 * crash from the last sign of life, up to a pulse before the crash, or not at all if it heard none;
 * after a hand-over by the clocks of both nodes.
 */
@NullMarked
@CheckReturnValue
package io.callboard.grid;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
