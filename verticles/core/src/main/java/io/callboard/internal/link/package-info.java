/**
 * Messages between nodes: tells and asks to volatile actors, all answers, and mail that is pushed
 * to the owners of durable actors.
 *
 * <p>{@link io.callboard.internal.link.NodeRouter} owns the node's one address, {@code
 * callboard.node.<boot id>}, and the context on which everything leaves. {@link
 * io.callboard.internal.link.Directory} knows which node has which actor. To each peer there is a
 * {@link io.callboard.internal.link.Link}, from each an {@link io.callboard.internal.link.Inbound}:
 * machines without I/O. {@link io.callboard.internal.link.OutgoingMessage} is a message on its way
 * out, {@link io.callboard.internal.link.IncomingMessage} one that came in.
 *
 * <h2>Protocol</h2>
 *
 * <p>A frame is one event-bus message, a {@code byte[]}: version, kind, the sender's boot id and
 * name, then by kind ({@link io.callboard.internal.link.Frame}). Numbers are LEB128, a string
 * stands where it first occurs in the frame and is its index after that, bodies are UTF-8 JSON
 * under their type's logical name.
 *
 * <ol>
 *   <li>Who has {@code /path}? {@code locate} is asked at {@code callboard:/path} and answered by
 *       the node where the actor is registered. Meanwhile its messages wait, in order.
 *   <li>{@code HELLO(link, next)}, repeated until {@code WELCOME(link, window)}: the link is open.
 *   <li>{@code DATA(link, sequence, acknowledgements, messages)}: what became ready in one moment,
 *       as long as less than the window is unacknowledged; the rest waits, within a bound.
 *   <li>The receiver puts the messages into their mailboxes and acknowledges the sequence, with the
 *       index, code and text of each refused one, and how many frames before it are missing. That
 *       gives the credit back. Answers travel as messages of the reverse link.
 *   <li>{@code RESET(link)}: the receiver does not know the link; {@code BYE}: the sender stops.
 *   <li>{@code TAKES_PUSHES(link)}, after each welcome: the peer takes pushes. One that knows none
 *       does not say so and gets none; one that sends none refuses this frame alone, and counts it.
 *   <li>{@code SIGNAL(topic, body)} belongs to no link and is not acknowledged ({@link
 *       io.callboard.internal.link.NodeSignals}). A node that knows none refuses this frame alone.
 *   <li>{@code BROADCAST(name, type, body, ...)} likewise: news for every node ({@link
 *       io.callboard.internal.link.Broadcasts}).
 * </ol>
 *
 * <h2>Pushes</h2>
 *
 * <p>A {@link io.callboard.internal.link.Push} is a message among others: partition epoch and
 * sequence, and the segment as it is stored. It accelerates and promises nothing: it is sent once,
 * and dropped and counted ({@link io.callboard.admin.LinkCounts#pushesDropped()}) unless the link
 * is open and pushes and messages together use less than a quarter of the peer's credit. In a frame
 * it stands behind the messages that wait, so these never wait for it longer than for what is under
 * way. The first push to a node makes the link and is dropped. What the receiver may believe of a
 * push is described in {@link io.callboard.internal.activation}.
 *
 * <h2>Invariants</h2>
 *
 * <p>L1: a message is handed to its mailbox at most once: a frame is never sent twice, and one
 * whose sequence is not higher than the last is dropped. L2: messages of one sender to one actor on
 * one node are handed over in the order they were sent; a lost frame leaves a gap, which is counted
 * and reported to its senders, and is never filled later. L3: each outgoing message has one
 * outcome. L4: what waits and what is under way is bounded in messages and bytes, per peer and in
 * all. L5: nothing that comes in can end the router.
 *
 * <h2>Failure windows</h2>
 *
 * <p>Peer dies: what is under way is refused with {@code UNAVAILABLE} when the peer leaves the
 * cell, when the next frame or probe cannot be handed to the network, or after {@link
 * io.callboard.internal.link.LinkLimits#acknowledge()}; it may have been handled. Peer pauses
 * longer than that: the same, and its late acknowledgements are ignored. Actor moves to another
 * node: messages to the old place are refused with {@code NO_SUCH_ACTOR}, the next one asks again.
 * Actor is started here while messages for it wait to be located: those sent from then on overtake
 * them. An answer that finds no room, or whose frame is lost: the ask times out.
 */
@NullMarked
@CheckReturnValue
package io.callboard.internal.link;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
