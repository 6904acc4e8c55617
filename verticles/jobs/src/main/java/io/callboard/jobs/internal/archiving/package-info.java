/**
 * End of a job's record: which records of ended jobs leave ZooKeeper, when, and for which database.
 *
 * <h2>Protocol</h2>
 *
 * <pre>
 * Archiver, once a second ─ Ended → the indexes of all nodes: how many, and the oldest
 * Archiver ─ rows, on disk → JobHistory
 * Archiver ─ Archived → the indexes: these versions are written
 * Archiver ─ LetGo(version) → JobActor, whose node takes it out of its index
 * </pre>
 *
 * <p>{@link io.callboard.jobs.internal.archiving.Archivist} is one actor a cell; while it runs, so
 * does the {@link io.callboard.jobs.internal.archiving.Archiver} of its node. {@link
 * io.callboard.jobs.internal.archiving.ArchivedJobs} reads what was archived. {@link
 * io.callboard.jobs.internal.archiving.OldRunFiles}, on each host, deletes the files of runs whose
 * jobs have no record any more.
 *
 * <p>A pass of the archiver writes a page of jobs and then tells one to go: 100 jobs, or 500 after
 * a pass that left more to do, which is followed by the next at once. Records are read 32 at a
 * time, and no more of them once the page has 4 MiB of rows. At most 5,000 jobs that were told to
 * go within the last minute are still there: no others are told before.
 *
 * <h2>Invariants</h2>
 *
 * <ul>
 *   <li>H1: a job leaves only by its own turn, and only if it has ended and is still of the version
 *       that was meant.
 *   <li>H2: a repeated submission never runs twice: a job that an idempotency key may name leaves a
 *       tombstone for as long as the key is kept.
 *   <li>H3: submissions are never refused because of jobs that have ended.
 *   <li>H4: with a database, a record goes only when its row is on disk in that version. A row is
 *       never replaced by an older version.
 * </ul>
 *
 * <h2>Failure windows</h2>
 *
 * <ul>
 *   <li>The archivist's node dies: the next one goes on with what the indexes have not marked as
 *       written; what is written again stays as it is. A job that is let go twice is gone already.
 *   <li>A node does not answer: its ended jobs wait, and the others are fewer than they are, so
 *       that less is let go.
 *   <li>The database is away: ended jobs stay in ZooKeeper, and are written when it is back.
 *   <li>A record is damaged, or of no form that this node can read: it stays, which is logged, and
 *       keeps no other from being written. So does a tombstone, until it is too old, and the files
 *       of a job. A row like that is missing from lists.
 *   <li>A record is read that is behind what its node said: it is looked at again in the next pass.
 *   <li>A job is deleted while its row is written, while the database is away, or by a node that
 *       dies before it has deleted the row: the tombstone hides the row and stays, 30 days at most,
 *       until an archiver has deleted it.
 *   <li>An archivist that has lost its role still writes a job that was deleted meanwhile: the
 *       database knows the deletion, and refuses the row.
 * </ul>
 */
@NullMarked
@CheckReturnValue
package io.callboard.jobs.internal.archiving;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
