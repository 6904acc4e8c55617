/**
 * Outputs by reference: what a step returns beyond {@link
 * io.callboard.workflows.internal.instance.OutputCheck#MOST_OUTPUT} is a blob of its instance's
 * actor, and the instance has its reference.
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
 * <p>Only the attempt of a worker, and the turn {@code Adopt} of the instance that has asked for
 * it, move large data: no other turn waits for them.
 *
 * <h2>Invariants</h2>
 *
 * <ul>
 *   <li>O1: a reference in an instance is to a blob of that instance, which was durable before. So
 *       a child may go before its parent.
 *   <li>O2: the blobs of an instance go before its record: its actor removes them in the turn that
 *       deletes it, before the commit, also those of which it never heard. It need not look if each
 *       of its runs was the only one of its step and succeeded with a small output.
 *   <li>O3: a reference that an instance refuses, or that it has no more because the step is run
 *       again, is removed after the commit.
 *   <li>O4: conditions and merge rules are decided in a turn, so they read no large output: a step
 *       whose condition or merge rule names one fails, and its reason says which and how large.
 * </ul>
 *
 * <h2>Failure windows</h2>
 *
 * <ul>
 *   <li>An attempt stores its output, and its worker dies before the report: the run is lost, and
 *       the next one stores an output of its own. The first one stays until the instance goes (O2).
 *   <li>The node dies after the commit and before a removal (O3): the same.
 *   <li>The node dies after the removal and before the deletion (O2): the deletion is asked for
 *       again, by the retention or by people; until then reading fails and says that the output is
 *       gone.
 *   <li>An attempt stores its output after its instance has gone, because its node was out of
 *       touch: its report reaches an actor without an instance, which removes it (O3). If its
 *       worker dies before that, {@code fsck} finds a blob whose owner is not stored.
 *   <li>A child is deleted by people before its parent has adopted its outputs: the step of the
 *       parent fails, with that as its reason.
 * </ul>
 */
@NullMarked
@CheckReturnValue
package io.callboard.workflows.internal.output;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
