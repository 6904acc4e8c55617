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
 *
 * <p>Why messages that are told outside of turns wait in three queues, and how these keep the
 * order, is in {@code bootstrap/docs/design/order-of-tells.md}.
 */
@NullMarked
@CheckReturnValue
package io.callboard.internal.messaging;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
