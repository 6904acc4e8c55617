/**
 * Cells joined by relays: what is told to {@code /cells/b/orders/7} in cell a arrives at {@code
 * /orders/7} in cell b, exactly once.
 *
 * <h2>Protocol</h2>
 *
 * <pre>
 * cell a                                          cell b
 * sender's turn: envelope in the mailbox of
 * /cells/b/orders/7 ({@link io.callboard.grid.cells.OutboundRelay})
 *   ─ before it consumes: tell, until durable ──→ mailbox of /from/a/orders/7
 *   then commits the consumption                  ({@link io.callboard.grid.cells.InboundRelay}): new? then its
 *                                                 turn writes the watermark and the envelope for
 *                                                 /orders/7 in one commit
 * </pre>
 *
 * <p>Each side is an actor and nothing else: leases, fences, hand-over and back-off are those of
 * actors. The node that runs departures is an ordinary member of both cells.
 *
 * <h2>Invariants</h2>
 *
 * <p>C1: a message is consumed in a only after it is durable in b. C2: b knows it by its place in
 * the mailbox of a, which never changes and is never another's, however often and in what order it
 * is sent; the watermark is the set of places taken, kept as the mailbox's own consumption is
 * ({@link io.callboard.store.Consumed}), so it is exact; and each arrival tells before which place
 * nothing comes any more, so it is small. C3: watermark and envelope are one commit. C4: what
 * arrives for one actor passes one pair of actors, so the order of each sender is kept.
 *
 * <h2>Failure windows</h2>
 *
 * <p>The owner in a dies, or is fenced, between the tell and its commit: the next owner tells
 * again, b drops what it has. The tell's outcome is unknown: told again. b cannot be reached: the
 * departures are interrupted and tried again for as long as it takes, mail waits in a; what was
 * told and has no outcome yet is waited for before anything is told again. A zombie of a tells
 * while the next owner does: both tell the same places. b is full: its mailbox makes the tell wait,
 * then fail, and it is tried again.
 *
 * <p>Not covered: a cell that is restored from a backup hands out places once more, and what was
 * taken at these places before is dropped in b; give it another name then, or remove what stands
 * below {@code /from/<cell>} in b.
 */
@NullMarked
@CheckReturnValue
package io.callboard.grid.cells;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
