/**
 * Durable actors in the memory of this node: activated by mail, swept, passivated, disowned.
 *
 * <p>{@link DurableActors} holds the spawned and hosted actors. {@link MailActivator} starts those
 * that have mail, {@link OwnedPartitions} reports to them the fate of their partitions, {@link
 * StoreEvents} brings the events of the store. On the durable context.
 *
 * <p><b>Invariants.</b> An actor in memory here is in a partition that this node owned when it was
 * loaded, and begins no turn once the node knows that it lost that. Mail for a hosted actor starts
 * it within a sweep, whatever hint was lost. An actor with timers, a stash or an outbox stays in
 * memory.
 *
 * <p>Actors that a sweep finds, by mail, timers or an outbox, start behind those that somebody
 * sends to now: one of either by turns ({@link io.callboard.internal.context.WeightedLimiter}), so
 * that thousands that are due at once, after the node was down, hold up nobody's asks. One of them
 * that gets a message meanwhile is behind no longer.
 *
 * <h2>The doorbell ladder</h2>
 *
 * <p>Mail is found by a ladder of hints ({@code Doorbell}); each rung may fail, the last does not.
 *
 * <ul>
 *   <li>Mail that a commit of this node put into a mailbox of its own is handed to the loop; mail
 *       of another node's actors is pushed there ({@link PushSender}), up to {@link
 *       io.callboard.internal.link.Push#MOST_BYTES}. A segment that is the next in order is handled
 *       without a read; any other push is only a hint that there is more.
 *   <li>The store's watch reports each new segment. Where pushes have come in time, the doorbell
 *       waits some milliseconds for the push of this one, as long as each wait brings one;
 *       otherwise the mail is read at once, until a push comes before its segment was read.
 *   <li>Every sweep looks ({@link MailSweep}), also when it could not read the leases.
 * </ul>
 *
 * <h2>Trust in a push</h2>
 *
 * <p>A push is sent only when its commit is known to be applied, with the sequence that the store
 * gave, and a mailbox gives no sequence twice, over all its generations; so a push of an honest
 * node is what the store holds, however late or often it comes. Late or repeated: its sequence lies
 * before the next one, and it is ignored. Of a sealed generation: its sequence is not the next. The
 * owner was replaced and does not know: its turns are fenced, as with mail that it has read. The
 * owner's server lags: the consuming commit is decided by the leader, which has the segment.
 * Damaged: the segment's checksum fails.
 *
 * <p>Three cases would break this and are guarded. A push that fails the check is a hint without a
 * sequence.
 *
 * <ul>
 *   <li>A copy of the cell runs beside it, and a node of the copy believes that this node owns the
 *       partition: such a node is no live member here, and content is taken only from a node that
 *       was a member at the last look at the cell.
 *   <li>The partition was given to this node under another epoch than the sender knows: content is
 *       taken only under the same epoch.
 *   <li>A mailbox was deleted and made again, by an operator or half a minute after its actor
 *       deleted itself: its record goes with it, so a life loaded before is refused as {@code
 *       STALE}, and a push reaches one boot of one node over a link that gives up after seconds.
 * </ul>
 *
 * <p>A cell restored from a backup while its nodes run breaks what they hold in memory, with or
 * without pushes; nodes are stopped first.
 *
 * <p>A peer that lies can make up the next segment of a mailbox. The commit that consumes it
 * deletes the segment under a name made of its sequence, count and bytes: if the store has none of
 * that name, the commit is refused as {@code STALE}, the life ends, the mail is read, and an
 * exactly-once turn has left nothing behind. A peer that knows these three numbers of a real
 * segment could have another one handled in its place: access to the event bus is trusted as for
 * messages to volatile actors, and is guarded by its TLS.
 *
 * <h2>Failure windows of direct mail</h2>
 *
 * <p>The node dies before the commit: the tell never succeeded, nothing has happened except what
 * the handler did to the world itself, and only the sender can try again. A commit with an unknown
 * outcome is settled by the node's commit number, as any other. The owner was replaced and does not
 * know: its commit is refused, it puts the message into the mailbox, and the next owner finds it
 * there. Such an owner may also be pushed a segment before which the next owner had direct mail,
 * and handle it without that: in a turn that is refused.
 */
@NullMarked
@CheckReturnValue
package io.callboard.internal.activation;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
