/**
 * The journal of persistent actors: when snapshots are made of their states, and how a state is
 * made again of a snapshot and the events after it.
 *
 * <h2>What is stored</h2>
 *
 * <p>Each commit of a persistent actor appends one entry with the events of its turns ({@link
 * io.callboard.codecs.Journal}), named by its turn, how many events and bytes it holds. An actor's
 * events count from 1 without gaps; the number is the event's position in every error, in the
 * archive and in the history. A snapshot is the state as of the end of a turn: up to {@link
 * io.callboard.store.Limits#INLINE_SNAPSHOT_BYTES} in the record itself, a larger one in the blob
 * log in as many parts as it takes. The record lists those that are kept, the newest first.
 *
 * <h2>Protocol</h2>
 *
 * <p>A snapshot never delays a turn: after the commit that calls for one, the state, which is
 * immutable, is written as JSON on a worker thread and into the blob log, while turns go on. The
 * next commit of the actor (or one of its own, if nothing else is to be committed) names it in the
 * record, drops those over {@link io.callboard.journal.SnapshotPolicy#keep}, and trims the entries
 * that no snapshot needs any more, at most 200 a commit.
 *
 * <p>A life begins with the newest snapshot that can be read and the entries after it, in batches
 * ({@link io.callboard.journal.Replay}). At most so many actors of a node are read at once ({@link
 * io.callboard.CallboardOptions#recoveries()}); the others wait in order.
 *
 * <h2>Invariants</h2>
 *
 * <p>J1: the events of a turn are in the journal if and only if the turn is committed. J2: the
 * numbers of the events that follow the snapshot that a life begins with have no gap (checked at
 * each replay). J3: no entry is trimmed that a kept snapshot needs, or, while there are fewer
 * snapshots than are kept, that the oldest of them replaced. J4: one snapshot of an actor is being
 * made at a time, and it is of a committed state.
 *
 * <h2>Failure windows</h2>
 *
 * <p>The node dies between a snapshot's blob and the commit that names it: garbage that fsck finds
 * by its age; the entries are still there. A snapshot cannot be made (its state cannot be written,
 * or exceeds the limit of a blob): it is reported in the log and in the actor's history, and tried
 * again after as many events; the journal grows up to {@link
 * io.callboard.store.Limits#JOURNAL_ENTRIES} entries, then turns that persist events fail. The
 * newest snapshot cannot be read: the one before it serves, or the events from the first on, if
 * they are all there; that is reported, and a new one is made at once. An event cannot be replayed:
 * the actor does not start, with the number and type of that event.
 */
@NullMarked
@CheckReturnValue
package io.callboard.journal;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
