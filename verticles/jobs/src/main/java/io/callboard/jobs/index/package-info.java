/**
 * Index of jobs: what lists, counts and the archivist ask for, without a node that holds all jobs.
 *
 * <h2>Protocol</h2>
 *
 * <pre>
 * leases ─ gained → IndexReader ─ HandOver → IndexActor of the former owner ─ its rows → JobIndex
 *                        └ without that: records of the partition ← store
 * JobActor, of this node's partitions ─ before and after each commit, no message → JobIndex
 * JobActor ─ its answer to this node, which may come before its report → JobIndex
 * list → IndexPeers ─ Page → IndexActor of each member ─ ids, versions, coverage → CellPage
 *        JobViews ─ the records of the page alone ← store
 * JobIndex ─ CellTally, at most once a second → all nodes: counts, the first runs in trouble
 * archivist ─ Ended, Archived → IndexActor of each member
 * TombstoneSweep, of the owner ─ DeleteFiles → IndexActor of the hosts
 * </pre>
 *
 * <p>Each node indexes the jobs of the partitions that it owns: the actor of such a job runs there
 * and nowhere else. A row has some 200 bytes: id, version, state, type, times, labels and the begin
 * of the command. {@code PartitionRows}, {@code JobIndex}, {@code RowCounts}, {@code LeftRows} and
 * {@code CellPage} decide without I/O.
 *
 * <h2>Hand-over of a partition</h2>
 *
 * <p>A node that gains a partition by a hand-over asks the former owner, which the lease names, for
 * its rows, page by page, and reads from the store only what may have changed beyond them. The
 * former owner names those jobs with the first page: a turn of each <em>began</em> a change, that
 * is reported before its commit, and has not reported the commit. So a node that joins or leaves,
 * and a partition that moves away and back, cost messages by the size of what moves, and no read of
 * what has not changed. A node that stops first hands over ({@code IndexDeparture}), while its
 * index still answers: three seconds at most, one if nothing moves.
 *
 * <p>Rows of a partition that was lost are kept until its next owner has fetched the last page, for
 * thirty seconds, and for at most 200,000 rows of all such partitions. Nothing is stored for this.
 *
 * <p>All records of the partition are read, as for one that nobody has indexed, if the former owner
 * died or is not believed to live, does not answer, or does not have the rows: it had not read them
 * all, or could not read one, its rows have another form ({@code HandedRow#FORMAT}), more than a
 * hundred changes are open, another epoch was between.
 *
 * <h2>Invariants</h2>
 *
 * <ul>
 *   <li>X1: while a node owns a partition and has read it, its index has each record of a job in
 *       it. Records are read after the claim, so that all that former owners committed is seen;
 *       what this node commits meanwhile is put as it happens. The newest version wins; what went
 *       while the records are read is remembered until they are read. A job that its actor reports
 *       is there, whatever of it went before: reports come in the order of the changes.
 *   <li>X2: a reading that ends after the partition was lost changes nothing: rows belong to one
 *       epoch.
 *   <li>X3: a page is complete only if for each partition a node answered that owns it and has read
 *       it. If two answer, as a partition changes hands, the higher epoch counts.
 *   <li>X4: what a former owner hands over in answer to the first page, without the jobs that it
 *       names, is what the records say. It is asked after the claim: what it began before it
 *       answered is in its rows or named, what it begins later is fenced. So the epoch of the rows
 *       is the one before the asker's, and a named job is not taken from any page, only from its
 *       record.
 *   <li>X5: no decision about a job is made by the index: what is shown was read from the store,
 *       what is done is done by the job's actor.
 *   <li>X6: an answer of a job's actor counts only while a change of the job is open here, so that
 *       the caller finds the job in lists. Without one, what is answered was reported before, or is
 *       in what this node reads or is handed; the job may be gone since, and no report would take
 *       the row away.
 * </ul>
 *
 * <h2>What lists and counts show</h2>
 *
 * <p>A list waits up to two seconds for partitions that are being read or have no owner for a
 * moment; then it shows what there is and says that it is partial, and lists of the next five
 * seconds do not wait. None waits for a node that does not answer: for some seconds after the death
 * of a node, until the others own and have read its partitions, lists lack its jobs and are
 * partial. Rows are of the moment of the answer, jobs of the reading a little later: one that is
 * not of the list any more is left out.
 *
 * <p>Counts are exact for this node's partitions and up to a second behind for the others', so the
 * limit of waiting jobs may be exceeded by what other nodes take in a second. What a dead node
 * counted stays until the others own all of its partitions; one that is being read is not counted.
 * The same holds for runs that make no progress, or are not gone after a kill: rows have what is
 * wrong with their run, so that whoever looks reads no job. All are counted, the first twenty of a
 * kind are named.
 *
 * <h2>Failure windows</h2>
 *
 * <ul>
 *   <li>The actor's life ends between its commit and the change of the index: the actor's next
 *       start puts the job again; if nothing is left of it, whoever speaks to it of its tombstone
 *       is answered by that report. The change stays open until a later one of the job is reported,
 *       so the next owner reads its record.
 *   <li>A job is deleted, and its partition moves to the node that asked for that: its tombstone is
 *       taken from the former owner, the answer changes nothing.
 *   <li>An answer comes late: its job has gone meanwhile, without a tombstone, and the partition
 *       has moved to the node that asked, or so many others went that this one is not remembered.
 *       It changes nothing.
 *   <li>A deleted job is restored from its row: its tombstone was over before the row was deleted,
 *       or the rerun had read the row before. The report of its actor shows it, also if the life
 *       that removed the tombstone ended before it reported that.
 *   <li>The former owner is lost between two pages: what was taken is right, the records are read.
 *   <li>It does not answer for two seconds: its other partitions are read without asking it.
 *   <li>A commit has an unknown outcome, and the partition moves: the job is named, and its record
 *       read by the next owner.
 *   <li>A partition cannot be read: it is tried again, with a backoff; lists are partial meanwhile.
 *   <li>A member has no index: it is asked nevertheless, lists that lack its partitions name it,
 *       and after thirty seconds the log does, too.
 *   <li>A published count is lost: the next change replaces it, or the next thirty seconds do.
 *   <li>The marks of what the archivist has written go with a partition that moves: it is written
 *       again, which changes nothing.
 *   <li>A host is away when a job is deleted: the owner of the tombstone asks it when it is back.
 * </ul>
 */
@NullMarked
@CheckReturnValue
package io.callboard.jobs.index;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
