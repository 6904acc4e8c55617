/**
 * Reads and listings of a cell: leases, members, actors, mail, failures and failovers, for any
 * node, owner or not.
 *
 * <p>The load of an actor by the owner of its partition is elsewhere: {@link
 * io.callboard.zookeeper.internal.commit.ActorReader}.
 *
 * <h2>Protocol</h2>
 *
 * <p>{@link io.callboard.zookeeper.internal.read.CellReader} lists; {@link
 * io.callboard.zookeeper.internal.read.ActorRecords} reads what is stored of actors. A listing is
 * not of one moment: znodes that vanish meanwhile are left out. Names that are not Callboard's are
 * passed over.
 *
 * <p><b>Failures.</b> The failures of an actor are one znode beside its record, from its first
 * failure on. The owner of its partition replaces it in the background, in a multi of its own:
 * check(lease), setData or create. No commit touches it and no watch covers it. The node reads it
 * only after the actor failed there, or when a caller asks for it; after a sync, so that nothing
 * that an earlier owner wrote is overwritten unseen.
 *
 * <p><b>Failovers.</b> {@link io.callboard.zookeeper.internal.read.Failovers}: one znode of each
 * role, written by its holder.
 *
 * <p><b>Documents.</b> {@link io.callboard.zookeeper.internal.read.Documents}: one znode of each
 * role that has one, written by its holder in a multi of its own: check(lease), setData or create.
 * Its content is the business of the role's actor. No watch covers it.
 *
 * <h2>Invariants</h2>
 *
 * <p>A damaged znode hides no other: a lease keeps its own partition from being owned, a record its
 * own actor from being shown. Reads of many znodes are bounded before they are sent (Z2), and of a
 * listing only as much is kept as the caller asked for.
 *
 * <h2>Failure windows</h2>
 *
 * <p>A server that lags behind the leader answers from the past: what is read here is for display
 * and for decisions that a fence confirms.
 */
@NullMarked
@CheckReturnValue
package io.callboard.zookeeper.internal.read;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
