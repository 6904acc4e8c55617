/**
 * How turns become durable: {@link io.callboard.internal.commit.GroupCommit} packs what is ready
 * into commits, some of which may be under way at once, and decides what follows from their
 * outcomes, without I/O; {@link io.callboard.internal.commit.Committer} carries it on the node's
 * durable context.
 *
 * <h2>Protocol</h2>
 *
 * <p>With nothing under way what is ready leaves at once: an idle node commits one turn. With
 * others under way a commit leaves only when it is well filled, or the window is free again; what
 * becomes ready meanwhile joins it. Commits are chained by the node's commit number: none is
 * applied whose predecessor was not.
 *
 * <p>A commit that was not applied stops the sending until every commit behind it has come back
 * too. A refusal names its culprit: that unit alone is failed or held back, all others go again, in
 * order, with new numbers. A mailbox that may not be made fails what is for it. After an unknown
 * outcome the incarnation is renewed first; then the node's stored commit number tells how many
 * were applied, and only the others are sent again.
 *
 * <p>An applied commit tells where each receiver's segment lies, so that a receiver of this node
 * gets its mail without a read. While a commit to a mailbox is under way, what the store tells of
 * that mailbox is only noted: the outcome tells the same, and more.
 *
 * <h2>Outboxes</h2>
 *
 * <p>An actor's outbox and its receivers' mailboxes are one write as long as there is room. What
 * finds none waits, as the receiver wishes ({@link io.callboard.store.WhenFull}), or stays in the
 * actor's own outbox, in the same commit; so does what one commit cannot serve. From there {@link
 * io.callboard.internal.outbox.RelayMachine} relays it: a commit that takes entries, or parts of
 * them, out of the {@link io.callboard.internal.outbox.Outbox} and puts them into their mailboxes,
 * over the version of the actor's record, so that it is applied once. Units and relays of an actor
 * go one at a time. Each receiver is a lane: what waits for a full one holds up no other, and what
 * is sent to it later stays behind it. Entries are small, so that a relay with what it writes again
 * fits beside the largest record. A relay that is refused says nothing of the unit behind it: the
 * life ends, the next one loads the outbox and goes on.
 *
 * <p>Actors that wait for each other in a ring would wait for ever: one whose own mailbox may be
 * full too leaves the message in its outbox after {@link
 * io.callboard.internal.outbox.RelayMachine#PATIENCE_NANOS} and goes on with its own mail. The
 * outbox is bounded; what waits because it is full too is logged every half minute and counted as
 * held back.
 *
 * <p>An outbox holds two more kinds of entries, which leave it by a turn of the actor: its durable
 * timers ({@link io.callboard.internal.outbox.OutboxTimers}) and what it delivers ({@link
 * io.callboard.internal.outbox.OutboxDeliveries}, whose design is in {@link
 * io.callboard.delivery}). An attempt of a delivery is a relay without mail, which counts it; one
 * that parks is a relay, too. A turn behind it that confirms what it parked finds no entry any
 * more, and writes none away.
 *
 * <h2>Invariants</h2>
 *
 * <p>G1: each unit is resolved once: committed, or failed. G2: units of one submitter are committed
 * in the order of their submission. G3: nothing is sent while a commit that was not applied is
 * under way behind another; else a late one could fit a number given out again. Rehearsed by {@code
 * PipelineTest} and {@code RehearsalTest}, which show the damage without incarnations or the chain.
 *
 * <h2>Failure windows</h2>
 *
 * <p>The node stops while commits are under way: their units are told {@code Unknown}; they may be
 * durable. A unit whose receiver is full is given back; no other unit of its actor can overtake it,
 * since an actor has one under way; what code outside of turns sent to the same receiver behind it
 * is given back with it, in order. The owner dies with messages in its outbox: they are loaded with
 * the actor, and an outbox that is not empty wakes an actor as mail does.
 */
@NullMarked
@CheckReturnValue
package io.callboard.internal.outbox;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
