/**
 * Group commit: packs ready units into commits, chains them, and resolves their outcomes. {@link
 * GroupCommit} is the machine without I/O; {@link Committer} carries it on the node's durable
 * context.
 *
 * <h2>Protocol</h2>
 *
 * <p>With nothing under way, ready units leave at once: an idle node commits one turn. With others
 * under way, a commit leaves only when it is well filled or the window is free again; units that
 * become ready meanwhile join it. Commits are chained by the node's commit number: none is applied
 * whose predecessor was not.
 *
 * <p>After a commit that was not applied, nothing is sent until every commit behind it has come
 * back. A refusal names its culprit: that unit alone is failed or held back, all others are sent
 * again, in order, with new numbers. If a mailbox cannot be created, the units for it fail. After
 * an unknown outcome the incarnation is renewed first; then the node's stored commit number shows
 * how many commits were applied, and only the others are sent again.
 *
 * <p>The outcome of an applied commit names the segment of each receiver, so that a receiver on
 * this node gets its mail without a read. While a commit to a mailbox is under way, the store's
 * hints about that mailbox are only noted: the outcome says the same, and more.
 *
 * <p>While a commit to a mailbox is under way, messages to it from outside of turns wait in {@link
 * Coalescing} and then go together: under load a mailbox gets few large segments.
 *
 * <h2>Invariants</h2>
 *
 * <p>G1: each unit is resolved once: committed, or failed. G2: units of one submitter are committed
 * in the order of their submission. G3: nothing is sent while a commit that was not applied is
 * under way behind another; else a late one could fit a number that was assigned again. Rehearsed
 * by {@code PipelineTest} and {@code RehearsalTest}, which show the damage without incarnations or
 * the chain.
 *
 * <h2>Failure windows</h2>
 *
 * <p>The node stops while commits are under way: the outcome of their units is {@code Unknown};
 * they may be durable. A unit whose receiver is full is given back; no other unit of its actor can
 * overtake it, since an actor has one under way. All other units to the same receiver that wait
 * here are given back with it, in order, but for the receiver's own: a store names the first unit
 * of a commit to a full mailbox, so none of them came before it. Refused one by one, each would
 * cost the node all commits under way, also those that consume mail of the full mailbox. The limit:
 * {@value Committer#MOST_WAITING} units; beyond it messages from outside of turns are refused.
 */
@NullMarked
@CheckReturnValue
package io.callboard.internal.commit;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
