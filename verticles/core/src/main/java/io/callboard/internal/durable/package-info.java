/**
 * Runner of a durable actor over all its lives: recovery, turns, commits, snapshots and the stored
 * history.
 *
 * <h2>Lives and turns</h2>
 *
 * <p>{@link DurableRunner} gives the actor its lives. {@link DurableStart} begins each: with one of
 * the node's permits for recoveries it reads the stored record, makes an object and deploys it;
 * {@link ActorRecovery} brings that to its state ({@link io.callboard.journal}). {@link StopMark}
 * keeps stopped an actor that an operator stopped. {@link DurableTurns} carries out through one
 * life what the {@code TurnLoop} decides ({@link io.callboard.internal.turn}, invariants T1 to T6),
 * in slices on the actor's context ({@link Slice}). {@link DurableCommits} makes turns durable and
 * releases what waits for that; {@link CommitFailures} decides what follows from a refusal. All of
 * this runs on the durable context, but for slices and recovery.
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
 *
 * <h2>History</h2>
 *
 * <p>{@code ActorHistory} is given each failure with its kind where it is noticed, and by the
 * supervisor the decision that follows. {@code FailureRing} keeps the last ones; an actor without
 * failures has none. {@link StoredHistory} is the part in the store, written through {@link
 * HistoryWriter}: the stored history is read first and merged; a write replaces it.
 *
 * <p><b>Invariants.</b> H1: no start, turn or commit waits for a history. H2: a history that cannot
 * be read is not overwritten, and an owner that was replaced writes nothing more (the lease is
 * checked). H3: of an actor one write is under way, and the last of any changes is written, unless
 * that fails: then with the next one, or at the next start.
 *
 * <p><b>Failure windows.</b> A node dies before the write: the unwritten part is lost. A node took
 * over from one that is gone: {@code NODE_LOST} is reported of the actors that it runs by name, and
 * of those hosted ones that had mail; hosted actors that were idle there get no entry.
 */
@NullMarked
@CheckReturnValue
package io.callboard.internal.durable;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
