/**
 * How turns become durable: {@link io.callboard.outbox.GroupCommit} packs what is ready into
 * commits, some of which may be under way at once, and decides what follows from their outcomes,
 * without I/O; {@link io.callboard.outbox.Committer} carries it on the node's durable context.
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
 * durable. A unit held back because its receiver is full is submitted again after a pause, behind
 * others; no other unit of its actor can overtake it, since an actor has one under way.
 */
@NullMarked
@CheckReturnValue
package io.callboard.outbox;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
