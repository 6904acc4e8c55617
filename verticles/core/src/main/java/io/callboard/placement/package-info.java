/**
 * Ownership of partitions by nodes: machines without I/O. {@link io.callboard.placement.Claims}
 * says which partitions a node claims and which it hands over; the node reads the store, and
 * carries that out.
 *
 * <h2>Protocol</h2>
 *
 * <p>Ownership is a lease, changed by compare-and-set, whose epoch rises with each owner; every
 * commit checks it. So a claim is safe at any moment, and all that follows is about who should
 * claim, and how soon.
 *
 * <p>Each node publishes with its membership what it can own ({@link
 * io.callboard.placement.Offer}): spaces whose actors it hosts, roles, its weight, and whether it
 * drains. From that everybody computes the same ranking of a partition's candidates ({@link
 * io.callboard.placement.RendezvousHash}), without asking anybody. A partition without a live owner
 * is claimed by the first of them at once, by the others one grace after the other, should the
 * first be deaf. The second is the standby of a partition; that of a role is the first other
 * candidate on another machine than its holder, where there is one.
 *
 * <p>What differs between partitions is who gives one back ({@link
 * io.callboard.placement.WantReason}). One of a hosted space goes to the first of its ranking, when
 * that one has settled, some at a time: so nodes that join get their share, and nothing else moves.
 * A role stays where it is until its node goes, drains, or is asked to hand it over, or until
 * another node holds so many fewer that the loads get evener ({@code RoleBalance}): then one moves
 * at a time, when members and roles have been settled for a while. What is given back has come to
 * rest first: turns under way are durable, nothing new was begun, the mail waits in its mailbox;
 * then the lease is released with the name of the node that it is for, everybody hears of that, and
 * that one claims it, or the others one grace after the other.
 *
 * <p>A node publishes where it runs, too ({@link io.callboard.placement.Locality}). What requires
 * labels is offered only by nodes that have them. A role whose holder is gone goes to another
 * machine before those on the holder's. Nodes of an older version publish no machine; while there
 * is one, no role moves for balance.
 *
 * <p>An owner is gone when it is no member any more, or when it is suspected: what a detector
 * reports before its session ends. If the suspicion is wrong the owner's commits are refused, it
 * learns from the change of the lease that it was replaced, and nothing but time is lost.
 *
 * <h2>Invariants</h2>
 *
 * <p>P1: a node claims only what it wants, and what nobody owns whom it believes to be live. P2:
 * after a quiet period every wanted partition is owned, and one of a hosted space by the first of
 * its ranking. P3: when a node joins or goes, only partitions move that it has then, or had. P4: a
 * role moves only because its holder is gone, drains, or was asked, or because that makes the loads
 * evener; so moves for balance come to an end. P5: a node that drains keeps what nobody else
 * offers.
 *
 * <h2>Failure windows</h2>
 *
 * <p>A lease was released, and its releaser dies or nobody claims: it is free, and the next look of
 * anybody claims it by rank. A change of a lease was not heard of (watches lose events while
 * disconnected): the next sweep sees it. Two nodes see different members for a moment and both
 * claim: one of them, by compare-and-set. Two sides do not hear each other, and each suspects the
 * other: whoever takes a lease while it is suspected lives, so that ends after a claim or two. A
 * node does not take what it is handed over: it is asked again later, after twice the time each
 * time. The answer to a release is lost: the next look finds a lease that is this node's and of no
 * use, and releases it again.
 */
@NullMarked
@CheckReturnValue
package io.callboard.placement;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
