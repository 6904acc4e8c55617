/**
 * Index of jobs, read by lists, counts and the archivist: each node indexes the jobs of the
 * partitions that it owns, so no node holds all jobs.
 *
 * <p>{@code PartitionRows}, {@code JobIndex}, {@code RowCounts}, {@code LeftRows} and {@code
 * CellPage} decide without I/O. {@code IndexReader} fills the index of a partition that was gained,
 * from its former owner or from the store; {@code IndexPeers} asks the indexes of all members for a
 * page; {@code CellTally} publishes the counts; {@code TombstoneSweep} deletes the files of jobs
 * that are gone.
 *
 * <p>No decision about a job is made by the index: what is shown was read from the store, what is
 * done is done by the job's actor. The protocol, the hand-over of a partition, all invariants (X1
 * to X6) and failure windows are in {@code bootstrap/docs/design/job-index.md}.
 *
 * <p>Size: its messages and rows are a file each, and nothing outside needs a part without the
 * others.
 */
@NullMarked
@CheckReturnValue
package io.callboard.jobs.internal.index;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
