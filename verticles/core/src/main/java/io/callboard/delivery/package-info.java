/**
 * Between durable actors and the world outside of the cell. Among durable actors every message has
 * its effect exactly once, by the turn; with anybody else one side has to remember.
 *
 * <p>From the outside: {@link io.callboard.delivery.Received} is a part of the receiving actor's
 * state, so it changes with the turn that handles the message, and remembers for as long as the
 * actor is there. <b>Invariant</b> R1: of the messages of one session of one sender, each number is
 * judged {@code NEXT} once, in order. <b>Windows:</b> the answer is lost, and the message comes
 * again: {@code DUPLICATE}. A sender that is forgotten ({@code without}) and sends again is taken
 * for a new one.
 *
 * <p>To the outside: {@code deliver} of a durable actor writes the message into the actor's outbox
 * with the turn ({@link io.callboard.codecs.DeliveryEntry}). From there the node sends it to a
 * volatile actor, which acts and answers into the durable mailbox, until a turn of the actor
 * confirms it or the attempts of {@link io.callboard.delivery.Redelivery} are used up. Then it is
 * parked, in one commit with the end of its entry. <b>Invariants.</b> E1: nothing is sent before
 * the turn that delivers it is durable, nor after the one that confirms it, but for what was under
 * way. E2: each attempt but the first is counted in the store before it is made, so however often
 * its node dies, there are at most as many as are allowed. E3: each delivery ends once: confirmed,
 * parked, or with its actor as a dead letter. E4: no id is given twice to what is durable: the
 * record holds the last one, and an actor without a record begins with the time, by the clock of
 * its node. <b>Windows:</b> a node dies, or the actor's life ends, between the commit that counts
 * an attempt and the attempt: there is one less. An answer comes when the delivery was parked:
 * {@code confirm} returns false, and what is parked stays for an operator to decide; if its turn
 * was handled while the parking was under way, it takes the parked one away with its commit. An
 * attempt is under way when the confirmation commits: the receiver gets it once more. An id of a
 * turn that was never committed may be given again: an at-least-once actor does not send it before
 * its commit.
 */
@NullMarked
@CheckReturnValue
package io.callboard.delivery;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
