/**
 * Actors of the workflow engine, and what the instances of a node share.
 *
 * <h2>Protocol</h2>
 *
 * <ul>
 *   <li>{@link io.callboard.workflows.internal.actor.InstanceActor}, {@code /workflows/i/<id>}:
 *       hosted and event-sourced. A turn persists what the machines of {@link
 *       io.callboard.workflows.internal.instance} decide; runs are requested after its commit. So a
 *       step costs one turn: that in which its run is done starts what follows.
 *   <li>{@link io.callboard.workflows.internal.actor.DefinitionActor}, {@code /workflows/d/<name>}:
 *       all versions of a definition; {@link io.callboard.workflows.internal.actor.DefinitionNames}
 *       has the names. {@link io.callboard.workflows.internal.actor.DefinitionCache} keeps what a
 *       node has read.
 *   <li>{@link io.callboard.workflows.internal.actor.InstanceKey}, {@code /workflows/k/<digest>}:
 *       holder of a unique key.
 *   <li>{@link io.callboard.workflows.internal.actor.StepRequests} repeats requests until the desk
 *       has them; {@link io.callboard.workflows.internal.actor.StepJobs} does the same for steps
 *       that are jobs. What they keep belongs to an {@link
 *       io.callboard.workflows.internal.actor.InstanceLife} and ends with it.
 *   <li>{@link io.callboard.workflows.internal.actor.StartLedger}, a role: brakes and weights,
 *       durable; its volatile child {@link io.callboard.workflows.internal.actor.StartDeskActor}
 *       gives permits to begin. {@link io.callboard.workflows.internal.actor.StartClient} is the
 *       gate of a node; an instance takes a permit of the gate of its own node only.
 *   <li>{@link io.callboard.workflows.internal.actor.IntakeActor}, {@code /workflows/m/<digest>}:
 *       one message that becomes an instance. {@link io.callboard.workflows.internal.intake} has
 *       protocol, invariants and failure windows of both.
 * </ul>
 *
 * <h2>Invariants</h2>
 *
 * <ul>
 *   <li>A1: nothing is requested before the commit that started its run.
 *   <li>A2: an instance that has not ended has a durable timer, so it is in memory on the node that
 *       owns it, and requests its open runs again when it starts there.
 *   <li>A3: a sub-workflow is started, cancelled and reported by messages that are part of a turn:
 *       exactly once.
 *   <li>A4: an instance keeps its version of the definition, which is never deleted.
 *   <li>A5: a node keeps no request of a life that has ended: its actor has stopped, the next one
 *       has begun, or the lease is lost, whatever became of the last commit.
 *   <li>A6: a start and a report of a run are not parked: at their last attempt they settle the
 *       step that waits as a failure; a forced cancellation ends the instance without its graph,
 *       and asks all that runs to end.
 * </ul>
 *
 * <p>{@code WorkflowsRehearsal} plays the actors of this room, those of work pulling and those of
 * messages together, with faults, and with flaws that it must show.
 *
 * <h2>Failure windows</h2>
 *
 * <ul>
 *   <li>The node dies after the commit of a start and before the request: A2.
 *   <li>A turn settles a run, and its node never learns whether that is durable: the life ends, and
 *       the next one, here or elsewhere, requests what is open in the state that it reads (A5). A
 *       node that does not know yet that it has lost its lease is refused by the desk.
 *   <li>A job was submitted, and the node dies before it knows: it is submitted again with the same
 *       idempotency key, kept until 24 hours after its end, and is the same job; a run of longer
 *       ago after the mail of the instance.
 *   <li>An operator restores an instance: its timers are not part of that, so from then on each
 *       start sets them again, and lets it go on also from an event within a turn. Definitions and
 *       messages refuse it, as A4 and the single settlement of a message would not hold; the start
 *       ledger gives its next desk an epoch above all before.
 *   <li>A definition cannot be read as an instance starts, or the state does not go with it: that
 *       life is stuck ({@code InstanceTurns}). It answers those who look and a forced cancellation,
 *       stashes what else comes, and fails after 10 s, so that the next one tries again, with a
 *       backoff; a forced end takes up what was stashed, which changes nothing any more.
 *   <li>The journal of the instance itself cannot be read: nobody is answered ({@code
 *       StartFailures} has the cause), nothing of it can be ended but its jobs, and a parent that
 *       is forced ends without it. What operators do: {@code runbook.md}.
 * </ul>
 *
 * <p>Size: the actors share the caches, claims and clients here, which nothing else uses.
 */
@NullMarked
@CheckReturnValue
package io.callboard.workflows.internal.actor;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
