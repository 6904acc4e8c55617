/**
 * Large outputs of steps: an output beyond {@link
 * io.callboard.workflows.internal.instance.OutputCheck#MOST_OUTPUT} is stored as a blob of the
 * instance's actor, and the state of the instance has only a reference to it.
 *
 * <h2>Protocol</h2>
 *
 * <pre>
 * AttemptActor ─ handler returns → over 24 KiB? → Blobs.write(instance) ─ durable → report with BlobRef
 * instance     ─ Done{BlobRef} → StepEnded{BlobRef}, in one turn that writes nothing large
 * next attempt ← StepRequest{large: step → BlobRef} ─ up to 1 MiB in all: read before the handler
 *                runs; more: the handler reads what it needs (StepContext.output)
 * sub-workflow ─ Adopt{outputs, refs} → parent reads the child's blobs, writes one of its own
 * job          ─ JobEnded, its result over 24 KiB → Adopt
 * </pre>
 *
 * <p>Only the attempt of a worker, and the turn {@code Adopt} of the parent instance, move large
 * data. No other turn waits for them.
 *
 * <h2>Invariants</h2>
 *
 * <ul>
 *   <li>O1: an instance has references to its own blobs only, which were durable before. So a child
 *       may be deleted before its parent.
 *   <li>O2: the blobs of an instance are removed before its record, in the turn that deletes it,
 *       also blobs that the instance does not know. The turn looks for none if each run was the
 *       only one of its step and succeeded with a small output.
 *   <li>O3: the blob of a reference that an instance refuses, or drops because the step is run
 *       again, is removed after the commit.
 *   <li>O4: conditions and merge rules are decided in a turn, so they read no large output: a step
 *       whose condition or merge rule names one fails, and its reason says which and how large.
 * </ul>
 *
 * <h2>Failure windows</h2>
 *
 * <ul>
 *   <li>An attempt stores its output, and its worker dies before the report: the run is lost, and
 *       the next one stores an output of its own. The first blob stays until the instance is
 *       deleted (O2).
 *   <li>The node dies after the commit and before a removal (O3): the same.
 *   <li>The node dies after the removal and before the deletion (O2): the deletion is asked for
 *       again, by the retention or by people; until then reading fails and says that the output is
 *       gone.
 *   <li>An attempt stores its output after its instance was deleted, because its node was cut off:
 *       its report reaches an actor without an instance, which removes the blob (O3). If the worker
 *       dies before that, {@code fsck} finds a blob whose owner is not stored.
 *   <li>A child is deleted by people before its parent has adopted its outputs: the step of the
 *       parent fails, with that as its reason.
 * </ul>
 */
@NullMarked
@CheckReturnValue
package io.callboard.workflows.internal.output;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
