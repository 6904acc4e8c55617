/**
 * Runner of a durable actor over all its lives: ownership, supervision, starts, turns and commits.
 *
 * <h2>Lives and turns</h2>
 *
 * <p>{@link DurableRunner} takes the actor over and hands it over. {@link DurableSupervision}
 * carries out its supervisor's decisions, {@link io.callboard.internal.ownership.RunConditions} say
 * whether it may run, and {@link DurableLives} gives it its lives over one {@link DurableMailbox},
 * with reports to the supervisor through {@link LifeReports}. {@link DurableStart} begins each
 * life: it makes an object of what was read, deploys it and lets it recover ({@link
 * io.callboard.internal.recovery}). {@link DurableTurns} carries out through one life what the
 * {@code TurnLoop} decides ({@link io.callboard.internal.turn}, invariants T1 to T6), in slices on
 * the actor's context ({@link Slice}). {@link DurableCommits} makes turns durable and releases what
 * waits for that; {@code CommitFailures} decides what follows from a refusal; {@link RelayDriver}
 * relays what could not leave with its turn ({@link io.callboard.internal.outbox}). Failures are
 * kept by {@link io.callboard.internal.history}.
 *
 * <p>All state here is owned by the node's durable context. On the actor's context are slices,
 * {@link DurableActorContext} and the recovery; what they have to report comes back to the durable
 * context, where a life that has ended meanwhile ignores it.
 *
 * <p>While a batch commits, the actor waits (at-most-once actors always do) unless each of its
 * turns lets it go on: its effect was persisted with {@code persistAsync}, or it changes nothing
 * durable. Then messages in memory that need only a handler are handled into the next batch, up to
 * its bounds; it commits after the one under way and falls with it if that is refused: the life
 * ends, and its messages are handled again from the store.
 *
 * <p>A body in the blob log is fetched when its message is the next to be handled, one at a time (a
 * message of a higher lane may come between and have one, too), and is held no longer than the
 * handler runs; a receiver in the same process gets the message itself. If the body is not there as
 * it was written, the message is parked.
 *
 * <h2>Failure windows of a turn</h2>
 *
 * <ul>
 *   <li>The node dies before the commit: nothing happened, and the next owner handles the message.
 *       It dies after the commit and before the answer left: the asker times out, the effects are
 *       there.
 *   <li>The owner was replaced while it handled: the commit is {@code FENCED}, and the loop is
 *       dropped with its state. Such an owner, as long as it does not know, may still run handlers
 *       of messages that it had consumed as an at-most-once actor: no other node handles them, and
 *       their effects are refused.
 *   <li>A load, a read or a fetch fails because the store cannot be reached, or a commit is {@code
 *       STALE}: this life ends, the actor is loaded again until that succeeds, and no attempt or
 *       restart is counted.
 *   <li>A handler fails: attempts are counted in memory, for the message at that place of the
 *       mailbox. It is tried again by a new object after the backoff, and parked with its cause
 *       after {@link io.callboard.ActorOptions#attempts()}; at-most-once does not try it again.
 *   <li>A unit is too large to commit: an at-most-once actor loses all turns in it.
 *   <li>A stop or a passivation is a crash to messages that are handed out or whose turns still
 *       wait for more to commit with; only an idle actor is passivated.
 * </ul>
 */
@NullMarked
@CheckReturnValue
package io.callboard.internal.durable;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
