/**
 * Cells joined by relays: a message sent to {@code /cells/b/orders/7} in cell a arrives at {@code
 * /orders/7} in cell b, exactly once.
 *
 * <h2>Protocol</h2>
 *
 * <pre>
 * cell a                                          cell b
 * sender's turn: envelope in the mailbox of
 * /cells/b/orders/7 (OutboundRelay)
 *   ─ before it consumes: tell, until durable ──→ mailbox of /from/a/orders/7 (InboundRelay)
 *   then commits the consumption                  new? then its turn writes the watermark and
 *                                                 the envelope for /orders/7 in one commit
 * </pre>
 *
 * <p>Each side is an actor and nothing else ({@link io.callboard.grid.cells.OutboundRelay}, {@link
 * io.callboard.grid.cells.InboundRelay}): leases, fences, hand-over and backoff are those of
 * actors. The node that runs the outbound relays is an ordinary member of both cells.
 *
 * <h2>Invariants</h2>
 *
 * <ul>
 *   <li>C1: a message is consumed in a only after it is durable in b.
 *   <li>C2: b knows it by its place in the mailbox of a, which never changes and is never
 *       another's, however often and in what order it is sent. The watermark is the set of places
 *       taken, kept as the mailbox's own consumption is ({@link io.callboard.store.Consumed}), so
 *       it is exact; and each message says before which place nothing comes any more, so it is
 *       small.
 *   <li>C3: watermark and envelope are one commit.
 *   <li>C4: all messages for one actor pass one pair of relays, so the order of each sender is
 *       kept.
 * </ul>
 *
 * <h2>Failure windows</h2>
 *
 * <ul>
 *   <li>The owner in a dies, or is fenced, between the tell and its commit: the next owner sends it
 *       again, b drops what it has.
 *   <li>The tell's outcome is unknown: it is sent again.
 *   <li>b cannot be reached: the outbound relays are interrupted and tried again for as long as it
 *       takes, mail waits in a; tells without an outcome are waited for before anything is sent
 *       again.
 *   <li>A zombie of a sends while the next owner does: both send the same places.
 *   <li>b is full: its mailbox makes the tell wait, then fail, and it is tried again.
 * </ul>
 *
 * <p>Not covered: a cell that is restored from a backup hands out places once more, and messages at
 * places that were taken before are dropped in b; give it another name then, or remove the znodes
 * below {@code /from/<cell>} in b.
 */
@NullMarked
@CheckReturnValue
package io.callboard.grid.cells;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
