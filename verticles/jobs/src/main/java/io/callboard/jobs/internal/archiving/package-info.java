/**
 * Archiving and removal of ended jobs: writes their records to a database, if there is one, and
 * removes from ZooKeeper those that are beyond the retention.
 *
 * <h2>Protocol</h2>
 *
 * <pre>
 * 1. Archiver ─ Ended → indexes of all nodes: number of ended jobs, and the oldest (once a second)
 * 2. Archiver ─ rows → JobHistory, the database: on disk when it answers
 * 3. Archiver ─ Archived → indexes of all nodes: mark these versions as written
 * 4. Archiver ─ LetGo(version) → JobActor: deletes its record; its node drops it from the index
 * </pre>
 *
 * <p>{@link io.callboard.jobs.internal.archiving.Archivist} is one actor a cell; the {@link
 * io.callboard.jobs.internal.archiving.Archiver} of its node works while the actor runs. {@link
 * io.callboard.jobs.internal.archiving.ArchivedJobs} reads what was archived. {@link
 * io.callboard.jobs.internal.archiving.OldRunFiles}, on each host, deletes the files of runs whose
 * jobs have no record any more.
 *
 * <p>A pass of the archiver writes a page of jobs, and then sends LetGo to a page: 100 jobs, or 500
 * after a pass that left more to do; the next pass then follows at once. Records are read 32 at a
 * time, up to 4 MiB of rows. While 5,000 jobs have not carried out the LetGo of the last minute, no
 * further ones are sent.
 *
 * <h2>Invariants</h2>
 *
 * <ul>
 *   <li>H1: a record is removed only by a turn of its job, and only if the job has ended and is
 *       still of the version that LetGo names.
 *   <li>H2: a repeated submission never runs twice: a job whose idempotency key is still kept
 *       leaves a tombstone for as long.
 *   <li>H3: submissions are never refused because of jobs that have ended.
 *   <li>H4: with a database, a record is removed only when its row is on disk in that version. A
 *       row is never replaced by an older version.
 * </ul>
 *
 * <h2>Failure windows</h2>
 *
 * <ul>
 *   <li>The archivist's node dies: the next one goes on with the jobs that the indexes have not
 *       marked as written. A row that is written twice stays as it is, and so does a job that gets
 *       LetGo twice.
 *   <li>A node does not answer: its ended jobs wait. The number of ended jobs seems smaller than it
 *       is, so fewer are removed.
 *   <li>The database is away: ended jobs stay in ZooKeeper, and are written when it is back.
 *   <li>A record is damaged, or of no form that this node can read: it is logged and kept, and the
 *       others are written. Its tombstone stays until that is too old, and its files stay, too. A
 *       damaged row is missing from lists.
 *   <li>A record is older than the version that the index has: the next pass reads it again.
 *   <li>A job is deleted while its row is written, while the database is away, or by a node that
 *       dies before it has deleted the row: the tombstone hides the row and stays, 30 days at most,
 *       until an archiver has deleted it.
 * </ul>
 */
@NullMarked
@CheckReturnValue
package io.callboard.jobs.internal.archiving;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
