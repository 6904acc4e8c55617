/**
 * Index of workflow instances: what lists and counts ask for, without a node that holds all of
 * them. Of the same shape as the index of jobs, and smaller: rows hold all that lists show.
 *
 * <h2>Protocol</h2>
 *
 * <pre>
 * leases ─ gained → InstanceReader ─ snapshots of that partition → InstanceIndex ← lost: its rows go
 * instance actor, of this node's partitions ─ after each commit, no message → InstanceIndex
 * list → InstancePeers ─ List → InstancesActor of each member ─ rows, partitions → CellRows
 * archived rows of a list → InstancePeers ─ Known → InstancesActor of each member: those are hidden
 * retention → InstancePeers ─ Ended, Running → InstancesActor of each member → MergedEnded
 * </pre>
 *
 * <h2>Invariants</h2>
 *
 * <ul>
 *   <li>X1: while a node owns a partition and has read it, its index has each instance in it. An
 *       instance that has not ended is in memory there and reports itself at its start; of one that
 *       has ended the snapshot is read; one without a snapshot is woken. The newest change wins.
 *   <li>X2: a reading that ends after the partition was lost changes nothing: rows belong to one
 *       epoch.
 *   <li>X3: a page is complete only if for each partition a node answered that owns it and has read
 *       it. If two answer, as a partition changes hands, the higher epoch counts.
 *   <li>X4: no decision about an instance is made by the index.
 * </ul>
 *
 * <p>A list waits up to two seconds for partitions that are being read or change hands, then it
 * shows what there is and says that it is partial. A row takes some 400 bytes of the heap, one of
 * an ended instance some 150 more.
 *
 * <h2>Failure windows</h2>
 *
 * <ul>
 *   <li>An actor's life ends between its commit and the change of the index: its next start puts
 *       the row again.
 *   <li>A partition cannot be read: it is tried again, with a backoff; lists are partial meanwhile.
 *   <li>A member has no index: it is asked nevertheless, lists that lack its partitions name it,
 *       and after thirty seconds the log does, too.
 * </ul>
 */
@NullMarked
@CheckReturnValue
package io.callboard.workflows.internal.index;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
