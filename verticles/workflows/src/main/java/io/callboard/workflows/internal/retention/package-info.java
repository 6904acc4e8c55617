/**
 * Retention of workflow instances that have ended: at most so many in the cell, and none longer
 * than so long. With a database, what leaves the cell is written there first.
 *
 * <h2>Protocol</h2>
 *
 * Each node has an {@link io.callboard.workflows.internal.retention.InstanceSweep}, which removes
 * instances of its own partitions only. There is no role and nothing is stored: what is to go
 * follows from the indexes.
 *
 * <pre>
 * pass, every 5 s by default, at once while there is more
 *   by age:   own index ─ the oldest that are too old, a page → go
 *   by count: indexes of all nodes ─ numbers → too many: those that go first, a page → own ones go
 *   go:       a parent that may still run, of any node → held for a while
 *             else a page → EndedArchive, which has it on disk if there is a database
 *             then instance ← Expire{change} ─ it deletes itself if that is its last change
 * </pre>
 *
 * <h2>Invariants</h2>
 *
 * <ul>
 *   <li>R1: an instance goes only by its own decision, in one commit: it has ended, and has not
 *       changed since it was indexed. So one that was retried meanwhile stays.
 *   <li>R2: all nodes use one order, {@link io.callboard.workflows.internal.index.EndedOrder}, and
 *       only as many go as are too many. If others have gone meanwhile, those were before it in the
 *       order, so the count never falls below the limit because two nodes work at the same time.
 *   <li>R3: nothing goes by count unless every partition is answered for: else the oldest might be
 *       in one that is not.
 *   <li>R4: an instance whose parent runs, or may run, stays. It counts, so others go instead.
 *   <li>R5: nothing goes that the archive has not taken. If that does not answer, passes are tried
 *       again with a backoff, {@link
 *       io.callboard.workflows.internal.retention.InstanceSweep#status} says so, and instances
 *       stay.
 *   <li>R6: at most {@link io.callboard.workflows.internal.retention.InstanceSweep#AWAKE} instances
 *       are in memory of a node for it.
 * </ul>
 *
 * <h2>Failure windows</h2>
 *
 * <ul>
 *   <li>The node dies in a pass: the next owner of the partition reads what is left, and goes on.
 *   <li>Two nodes take themselves for the owner: both ask the instance, which goes once; the one
 *       that is asked after that has nothing left to delete.
 *   <li>An instance does not answer, or cannot start: it is held for the time of three passes, so
 *       that it does not keep others from going.
 *   <li>Nodes with different options: the strictest ones count. Clocks that differ move the limit
 *       of the age by as much.
 *   <li>A parent is retried after its children have gone: what they gave to it stays its own.
 * </ul>
 *
 * <p>The jobs of {@code process} steps have the retention of jobs.
 */
@NullMarked
@CheckReturnValue
package io.callboard.workflows.internal.retention;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
