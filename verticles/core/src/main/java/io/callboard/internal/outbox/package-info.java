/**
 * Outbox of a durable actor: messages that found no room in their receivers' mailboxes, durable
 * timers and deliveries, stored with the actor until a later commit takes them out.
 *
 * <h2>Relay</h2>
 *
 * <p>An actor's outbox and its receivers' mailboxes are one write as long as there is room. A
 * message that finds none waits, as the receiver's policy says ({@link
 * io.callboard.store.WhenFull}), or stays in the actor's own outbox, in the same commit; so do
 * messages beyond what one commit can hold. {@link RelayMachine} relays them from there: a commit
 * removes entries, or parts of them, from the {@link Outbox} and puts them into their mailboxes,
 * over the version of the actor's record, so that it is applied once. Units and relays of an actor
 * go one at a time. Each receiver is a lane: messages that wait for a full one hold up no other,
 * and messages sent to it later stay behind them. Entries are small, so that a relay with the
 * entries it writes again fits beside the largest record. A refused relay says nothing about the
 * unit behind it: the life ends, the next one loads the outbox and goes on.
 *
 * <p>A receiver to which nothing can be sent holds up its lane alone, too: its mailbox is damaged
 * in the store or access to it denied, or the blob of a message to it is gone. What waits for it
 * stays durable, and is tried again as a full one is, with pauses {@link Outbox#STUCK_PAUSES} times
 * as long; each life reports it once, since an operator must act, and {@link StuckLanes} has it for
 * those who look. A turn that finds such a mailbox leaves its messages in the outbox, unless it is
 * a feed's. What waits may leave no room for a turn that needs some: that one is not committed; its
 * message is tried again, then parked.
 *
 * <p>Actors that wait for each other in a ring would wait for ever: one whose own mailbox may be
 * full too leaves the message in its outbox after {@link RelayMachine#PATIENCE_NANOS} and goes on
 * with its own mail. The outbox is bounded; what waits because it is full too is logged every half
 * minute and counted as held back.
 *
 * <h2>Timers and deliveries</h2>
 *
 * <p>Two more kinds of entries leave the outbox by a turn of the actor: durable timers ({@link
 * OutboxTimers}) and deliveries ({@link OutboxDeliveries}, whose design is in {@link
 * io.callboard.delivery}). An attempt of a delivery is a relay without mail, which counts it; one
 * that parks is a relay, too. A turn behind it that confirms a parked delivery finds no entry any
 * more, and removes none. {@link DurableTimers} and {@link ActorDeliveries} are the actor's side of
 * both, on its context and as of the messages handled so far; {@link OutboxEntryIds} numbers them.
 *
 * <h2>Failure window</h2>
 *
 * <p>The owner dies with messages in its outbox: they are loaded with the actor, and an outbox that
 * is not empty wakes an actor as mail does. The commits themselves: {@link
 * io.callboard.internal.commit}.
 */
@NullMarked
@CheckReturnValue
package io.callboard.internal.outbox;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
