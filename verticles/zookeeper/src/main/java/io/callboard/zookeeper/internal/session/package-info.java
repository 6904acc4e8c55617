/**
 * Identity of a node in its cell: its name, its incarnation, its commit number, and their renewal
 * after an unknown outcome.
 *
 * <h2>Protocol</h2>
 *
 * <p><b>Name.</b> {@link io.callboard.zookeeper.internal.session.NodeName} is the ephemeral {@code
 * /h/<node>}. An ephemeral belongs to a session: one that an earlier session left vanishes later
 * and would take the membership with it, so it is replaced, never reused. A process of the same
 * home is dead for certain (a node locks its data directory), so its name is taken over at once;
 * that of another home is waited for, for its session timeout and some grace at most.
 *
 * <p><b>Incarnation.</b> {@code /i/<node>}, bumped by compare-and-set; its data version is the
 * fence that every commit and every claim checks.
 *
 * <p><b>Commit number.</b> {@code /s/<node>}, written by each commit at its version: the chain of a
 * node's commits. After an unknown outcome it tells whether a commit was applied.
 *
 * <p><b>Renewal.</b> A new handle if the session is over; bump the incarnation by compare-and-set;
 * be a member under the present session; read the commit number; set the watches, if the handle is
 * new. The number is read after the bump: a commit still under way fails its first check, so the
 * number cannot change any more. Renewals are repeated with backoff until the node knows, or fails
 * for good.
 *
 * <h2>Invariants</h2>
 *
 * <ul>
 *   <li>I5: every applied commit and every claim carries the incarnation of its node that is
 *       current at that moment. After a renewal no commit of an earlier incarnation is applied
 *       (S3).
 *   <li>An incarnation of another boot means that another process took the name: this node stops
 *       for good. So does one that is lower than the node has written: the store went back.
 * </ul>
 *
 * <p>When the version of an incarnation begins again (I8), no request of the former round is left:
 * a request is applied only while its session lives, which is a minute without its handle at most,
 * and a node renews, for each number, with a round trip; none is left after 2³⁰ of them.
 *
 * <h2>Failure windows</h2>
 *
 * <ul>
 *   <li>The reply to a bump is lost: the next attempt reads what is stored and bumps again; a late
 *       request of the earlier attempt finds another version.
 *   <li>The process stands still past its session: others take its partitions over; when it wakes
 *       up, its commits are refused by incarnation or lease until it has renewed.
 *   <li>The store was restored from an older copy while the node was running: {@link
 *       io.callboard.zookeeper.internal.session.NodeSession#verify}, asked for after each
 *       reconnection, finds a counter below the node's own, and the node ends with {@code
 *       WENT_BACK}.
 * </ul>
 *
 * <p>{@link io.callboard.zookeeper.internal.session.CellConnection} is a connection without a
 * membership, for operators' commands.
 */
@NullMarked
@CheckReturnValue
package io.callboard.zookeeper.internal.session;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
