/**
 * The way of a message: to a mailbox in memory, to a durable mailbox, or to another node; asks,
 * death watch and dead letters.
 *
 * <p>{@link MessageSender} chooses the way: into the open turn, into a durable mailbox by a commit,
 * into the mailbox of a volatile actor here, or over a link. {@link DurableSender} sends from
 * outside of turns, through {@link TellSequencer}: past the mailbox where the receiver takes it
 * ({@link BypassTarget}), else into it by {@link MailboxAppender}. {@link RemoteMessaging} encodes
 * messages to other nodes, {@link RemoteReceiver} decodes those that arrive ({@link
 * io.callboard.internal.link}).
 *
 * <h2>Headers, asks and watches between nodes</h2>
 *
 * <p>{@link MessageHeaders} go along with a message to another node: reply address, priority, time
 * to live and trace. Reply addresses are texts: {@code callboard.node.<boot>#<number>} is an ask,
 * {@code durable:/path} and {@code volatile:/path} an actor. {@link PendingAsks} holds the asks of
 * this node, which connect to the event bus; {@link WaitForGraph} fails an ask that would close a
 * cycle. {@link DeathWatch} reports ends of volatile actors; a watch between nodes is an ask that
 * is answered at the end, and sent again every few seconds.
 *
 * <p><b>Invariants.</b> What one sender sends to one receiver arrives in that order, whatever its
 * size (W1 to W3 of {@link io.callboard.internal.turn}, L2 of {@link io.callboard.internal.link}).
 * An ask has one outcome: the answer, a failure, or its timeout. A message has one end: handled,
 * answered to its sender as not accepted, or a dead letter.
 *
 * <p><b>Failure windows.</b> A node is lost with an actor: the end is reported when the cluster
 * manager no longer knows the node. A watcher is lost: its watch is forgotten half a minute after
 * it was last sent.
 *
 * <h2>Order of tells to a durable actor</h2>
 *
 * <p>A message told outside of turns can wait three times, each time in a queue of its receiver. In
 * {@link TellSequencer} it waits for its body, or for one before it, to be written. Then the
 * receiver may take it past its mailbox ({@link MailboxAppender#send}); else it waits in a line of
 * {@link MailboxAppender} while the receiver holds later messages back or its mailbox is full. In
 * {@code Coalescing} ({@link io.callboard.internal.commit}) it waits while a commit to the mailbox
 * is under way. Each queue is left in order, and a receiver is asked only while nothing earlier is
 * in the second or third one (W1, W2 in {@link io.callboard.internal.turn}).
 *
 * <p>They stay three, since the receiver's decision lies between the first two: asked about the
 * head of the first queue, it may hold and release the second one within the call. In a joint queue
 * that release would let messages pass that stand behind the one being decided, messages that the
 * mailbox gives back would have to go before those not yet offered, and parked messages that are
 * replayed, which pass the first queue only, would stand behind messages that wait for room. The
 * queues differ in the rest as well: a body waits for the store without a limit of time, a message
 * in line until its room timeout; {@value TellSequencer#MOST_MESSAGES} or {@value
 * TellSequencer#MOST_BYTES} bytes against {@value
 * io.callboard.internal.commit.Committer#MOST_WAITING} messages; {@code UNAVAILABLE} against {@code
 * MAILBOX_FULL}. {@code TellOrderTest} rehearses all three together.
 *
 * <h2>Large messages</h2>
 *
 * <p>Outside of turns, {@link TellSequencer} keeps the order to a receiver while a body is written
 * to the blob log; bodies that a turn sends are written between its handler and its commit. {@link
 * BlobTransfers} bounds the writes and fetches of all actors of the node. The receiver's side is in
 * {@link io.callboard.internal.durable}. <b>Failure window.</b> The node dies between body and
 * commit: no record refers to the body, and {@code fsck} removes it.
 *
 * <p>Contents that actors keep take the same way without a commit ({@link KeptBlobs}). <b>Failure
 * window.</b> One that is written for an owner that has gone meanwhile, or whose writer dies while
 * it writes, is removed by the owner's {@link io.callboard.Blobs#removeAll}, or by {@code fsck}.
 *
 * <h2>Other protocols</h2>
 *
 * <p>An actor that has adapters finds foreign messages in its mailbox, and translates them when
 * they are handled, before its layers: {@link io.callboard.Actor#codec()} reads its own protocol
 * and the foreign ones, {@link io.callboard.Actor#adapted} translates. Both are known from its
 * start. The endpoint of a volatile actor on the event bus reads both, that of a durable one its
 * own protocol only.
 *
 * <h2>Dead letters</h2>
 *
 * <p>{@link DeadLetters} is where every message ends that no actor handles. At most {@value
 * DeadLetters#MOST_WAITING} of them wait for slow listeners.
 */
@NullMarked
@CheckReturnValue
package io.callboard.internal.messaging;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
