/**
 * Archive: the history of actors in a database, and projections of it; the only place that knows
 * JDBC.
 *
 * <h2>Protocol</h2>
 *
 * <p>{@link io.callboard.archive.Archive} is the programs' view. Its {@link
 * io.callboard.archive.EventTable} is the sink of the feeds ({@link io.callboard.feed}): the events
 * of each feed under their positions, which have no gaps, so an event that is stored already is
 * known by the last position; events that are written again are compared whole. The feed {@code
 * archive} has every event of each archived actor: its history, which outlives its journal and the
 * actor itself. {@link io.callboard.archive.Projector} applies a feed's events to other tables, and
 * records its position in the same transaction. {@link io.callboard.archive.JobHistory} has ended
 * jobs, which the job scheduler writes and reads; {@link io.callboard.archive.WorkflowHistory} has
 * ended workflow instances in the same way.
 *
 * <h2>Invariants</h2>
 *
 * <ul>
 *   <li>A1: a position is written once; a feed that does not go on where the table ends, or repeats
 *       an event that differs in turn, time, type or body from the stored one, is refused (another
 *       cell's database, or one of the two was restored from a backup): {@link
 *       io.callboard.archive.Archive#cut} takes the table back to the cell.
 *   <li>A2: an event is in a projection's tables if and only if the projection's position is at it
 *       or behind it.
 *   <li>A3: several nodes may keep one projection up to date: its row is locked for the
 *       transaction.
 *   <li>A4: an ended job or instance that a user has deleted has no row, however late a node writes
 *       it that has read it before: deletions are recorded for a day.
 * </ul>
 *
 * <h2>Failure windows</h2>
 *
 * <ul>
 *   <li>The database cannot be reached: feeds wait and are tried again ({@link
 *       io.callboard.feed.FeedSink}), up to 10,000 commits wait in the mailbox of each, then the
 *       actors that persist. Projections wait; {@link io.callboard.archive.ProjectionStatus} shows
 *       how far they are behind.
 *   <li>The outcome of a transaction is unknown: the events are written again, and found there.
 * </ul>
 */
@NullMarked
@CheckReturnValue
package io.callboard.archive;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
