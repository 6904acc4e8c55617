/**
 * Index of jobs: what lists, counts and the archivist ask for, without a node that holds all jobs.
 *
 * <h2>Protocol</h2>
 *
 * <pre>
 * leases ─ gained → IndexReader ─ records of that partition → JobIndex ← lost: its rows go
 * JobActor, of this node's partitions ─ after each commit, no message → JobIndex
 * list → IndexPeers ─ Page → IndexActor of each member ─ ids, versions, coverage → CellPage
 *        JobViews ─ the records of the page alone ← store
 * JobIndex ─ CellTally, at most once a second → all nodes: counts
 * archivist ─ Ended, Archived → IndexActor of each member
 * TombstoneSweep, of the owner ─ DeleteFiles → IndexActor of the hosts
 * </pre>
 *
 * <p>Each node indexes the jobs of the partitions that it owns: the actor of such a job runs there
 * and nowhere else. A row has some 200 bytes: id, version, state, type, times, labels and the begin
 * of the command. {@code PartitionRows}, {@code JobIndex}, {@code RowCounts} and {@code CellPage}
 * decide without I/O.
 *
 * <h2>Invariants</h2>
 *
 * <ul>
 *   <li>X1: while a node owns a partition and has read it, its index has each record of a job in
 *       it. Records are read after the claim, so that all that former owners committed is seen;
 *       what this node commits meanwhile is put as it happens. The newest version wins; what went
 *       while the records are read is remembered until they are read.
 *   <li>X2: a reading that ends after the partition was lost changes nothing: rows belong to one
 *       epoch.
 *   <li>X3: a page is complete only if for each partition a node answered that owns it and has read
 *       it. If two answer, as a partition changes hands, the higher epoch counts.
 *   <li>X4: no decision about a job is made by the index: what is shown was read from the store,
 *       what is done is done by the job's actor.
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
 *
 * <h2>Failure windows</h2>
 *
 * <ul>
 *   <li>The actor's life ends between its commit and the change of the index: the actor's next
 *       start puts the job again, as does the next owner's reading.
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
