/**
 * How nodes speak with each other: tells and asks to volatile actors, and all answers.
 *
 * <p>{@link io.callboard.link.Router} owns the node's one address, {@code callboard.node.<boot
 * id>}, and the context on which everything leaves. {@link io.callboard.link.Directory} knows which
 * node has which actor. To each peer there is a {@link io.callboard.link.Link}, from each an {@link
 * io.callboard.link.Inbound}: machines without I/O. {@link io.callboard.link.Parcel} is a message
 * on its way out, {@link io.callboard.link.Message} one that came in.
 *
 * <h2>Protocol</h2>
 *
 * <p>A frame is one event-bus message, a {@code byte[]}: version, kind, the sender's boot id and
 * name, then by kind ({@link io.callboard.link.Frame}). Numbers are LEB128, a string stands where
 * it first occurs in the frame and is its index after that, bodies are UTF-8 JSON under their
 * type's logical name.
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
 * </ol>
 *
 * <h2>Invariants</h2>
 *
 * <p>L1: a message is handed to its mailbox at most once: a frame is never sent twice, and one
 * whose sequence is not higher than the last is dropped. L2: messages of one sender to one actor on
 * one node are handed over in the order they were sent; a lost frame leaves a gap, which is counted
 * and told to its senders, and is never filled later. L3: each parcel has one outcome. L4: what
 * waits and what is under way is bounded in messages and bytes, per peer and in all. L5: nothing
 * that comes in can end the router.
 *
 * <h2>Failure windows</h2>
 *
 * <p>Peer dies: what is under way is refused with {@code UNAVAILABLE} when the peer leaves the
 * cell, when the next frame or probe cannot be handed to the network, or after {@link
 * io.callboard.link.LinkLimits#acknowledge()}; it may have been handled. Peer pauses longer than
 * that: the same, and its late acknowledgements are ignored. Actor moves to another node: messages
 * to the old place are refused with {@code NO_SUCH_ACTOR}, the next one asks again. Actor is
 * started here while messages for it wait to be located: those told from then on overtake them. An
 * answer that finds no room, or whose frame is lost: the ask times out.
 */
@NullMarked
@CheckReturnValue
package io.callboard.link;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
