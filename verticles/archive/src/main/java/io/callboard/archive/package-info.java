/**
 * What has happened, in a database: the only place that knows JDBC.
 *
 * <p>{@link io.callboard.archive.Archive} is what programs use. Its {@link
 * io.callboard.archive.EventTable} is the sink of the feeds ({@link io.callboard.feed}): the events
 * of each feed under their positions, which have no gaps, so what is there already is known by the
 * last one; what is written again is compared whole. The feed {@code archive} has every event of
 * each actor that is archived: its history, which outlives its journal and itself. {@link
 * io.callboard.archive.Projector} applies a feed's events to other tables, and notes in the same
 * transaction how far it is.
 *
 * <p><b>Invariants.</b> A1: a position is written once; a feed that does not go on where the table
 * ends, or repeats an event that differs in turn, time, type or body from what is there, is refused
 * (another cell's database, or one of the two was restored from a backup): {@link
 * io.callboard.archive.Archive#cut} takes the table back to the cell. A2: an event is in a
 * projection's tables if and only if the projection's position is at it or behind it. A3: several
 * nodes may keep one projection up to date: its row is locked for the transaction.
 *
 * <p><b>Failure windows.</b> The database is not there: feeds wait and are tried again ({@link
 * io.callboard.feed.FeedSink}), up to 10,000 commits wait in the mailbox of each, then the actors
 * that persist. Projections wait, and are behind by what {@link
 * io.callboard.archive.ProjectionStatus} tells. A commit whose outcome is not known: the events are
 * written again, and found there.
 */
@NullMarked
@CheckReturnValue
package io.callboard.archive;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
