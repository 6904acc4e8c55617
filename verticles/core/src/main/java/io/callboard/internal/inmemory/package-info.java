/**
 * Runner of a volatile actor over all its lives; its stash, and messages that are held beyond their
 * handler.
 *
 * <p>{@link VolatileRunner} is the actor as its supervisor and its senders see it. {@link
 * VolatileLives} starts and ends its lives, each an {@code ActorInstance} ({@link
 * io.callboard.internal.lifecycle}, which has the limits of a life). {@link VolatileMail}, mailbox
 * and {@link Stash}, outlives them. {@link VolatileTurns} handles the mail through one of them, in
 * slices on the actor's own context; a message is gone once its handler has begun. A plain message
 * lies in the mailbox as itself; one that expects an answer, has a deadline or comes from a timer
 * lies there as a {@link io.callboard.internal.mailbox.Delivery}. {@code MessageSender} finds the
 * receiver through its ref, which remembers it.
 *
 * <p><b>Invariants.</b> V1: one slice of an actor runs at a time: whoever wakes a life schedules it
 * once, a new life looks at the mailbox itself, and an ended one does nothing. V3: a message that
 * is in the mailbox at the end of a stop, or comes at that moment, is a dead letter, and its
 * waiting asker is notified. V4: every asker gets an outcome: the handler's answer, the failure,
 * {@code STOPPED}, or a timeout ({@link io.callboard.internal.context.TimeoutWheel}). V2, V5 and V6
 * hold for durable actors as well: {@link io.callboard.internal.lifecycle}.
 *
 * <h2>Held and forwarded messages</h2>
 *
 * <p>{@link HeldMessageImpl} is a message that its actor holds beyond its handler, with its way
 * back. {@link DeliveryAttempt} is one attempt of another actor to handle it: the way back, and the
 * ticket in that actor's mailbox by which the message can be taken back until its handler begins.
 * <b>Invariant</b> L2: a held message has one end, the first; an answer or a refusal by an attempt
 * is its end, a failure is not. An attempt that lies in a mailbox at the end of its actor is no
 * dead letter: its holder is notified.
 *
 * <p>{@link ForwardTracker} is the way back of a message that a router forwarded and counts.
 * <b>Invariant</b> L1: it reports once that the message has ended: answered, failed, lost, handled
 * without an answer, given up by its asker, or in a mailbox that is not of this node.
 *
 * <p><b>Failure windows.</b> The process ends: mail, stash and held messages are gone with it, and
 * askers on other nodes fail, or time out. A handler fails: its message is given up, what waits
 * stays for the next life. A message is held, and its actor's life ends: it is a dead letter, and
 * its asker fails.
 */
@NullMarked
@CheckReturnValue
package io.callboard.internal.inmemory;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
