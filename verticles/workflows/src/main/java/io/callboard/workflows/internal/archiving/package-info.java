/**
 * Ended instances in the database: how they get there from the cell, how they are read there, and
 * when they leave it.
 *
 * <h2>Protocol</h2>
 *
 * <pre>
 * InstanceSweep, of each node for its own partitions ─ instances beyond the retention → InstanceArchive
 *   actor of each ─ instance, timeline → rows ─ a page, on disk → WorkflowHistory
 *   then actor ← Expire{change} ─ it deletes itself if that is its last change
 * reader → the cell first; if it has no such instance → ArchivedInstances → WorkflowHistory
 * </pre>
 *
 * <h2>Invariants</h2>
 *
 * <ul>
 *   <li>A1: records of an instance go only when its row is on disk in the version of its last
 *       change. A row is never replaced by an older version.
 *   <li>A2: an instance is in the cell or in the database. It is in both only from the write of its
 *       row to its removal; then the cell counts, whatever the row says.
 *   <li>A3: who reads the cell first and then the database misses none that moves meanwhile.
 *   <li>A4: what ended never runs again out of the database.
 * </ul>
 *
 * <h2>Failure windows</h2>
 *
 * <ul>
 *   <li>The database is away: instances stay in the cell beyond the retention, lists say that they
 *       are partial, and pages are tried again with a backoff.
 *   <li>A row is damaged, or of no form that this node can read: it is missing from lists, which is
 *       logged, and hides no other.
 *   <li>The node dies between the write of a row and the removal: the next owner writes the same
 *       version again, which changes nothing, and removes the instance.
 *   <li>An instance is retried between the two: it stays, lists hide its row, and its next end
 *       replaces that.
 *   <li>An instance is deleted by a user while its row is written, by its node or by one that has
 *       lost its partition: the database refuses the row. If the node dies in the moment between
 *       the row and that, the next sweep of old rows removes it, within an hour.
 * </ul>
 */
@NullMarked
@CheckReturnValue
package io.callboard.workflows.internal.archiving;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
