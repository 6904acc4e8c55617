/**
 * Decisions of an instance: machines without I/O.
 *
 * <h2>Protocol</h2>
 *
 * <p>{@link io.callboard.workflows.internal.instance.InstanceProgress} is the cursor of one
 * instance: its durable state, its progress through the graph, and what it has open. It is made
 * from the state at each start and follows it from then on. {@link
 * io.callboard.workflows.internal.instance.InstanceMachine} is given what happens and emits events
 * through it; {@link io.callboard.workflows.internal.instance.InstanceProgress#take} returns them,
 * with the runs to request and to cancel once they are durable. {@link
 * io.callboard.workflows.internal.instance.InstanceFold} folds events to the state; it needs no
 * definition.
 *
 * <p>{@link io.callboard.workflows.internal.instance.Restoration} makes the state with which an
 * instance goes on that an operator has restored to an earlier event. Desk, workers, jobs and other
 * instances remember what was asked and settled since that event; so further runs are numbered from
 * the number of its last event on, which no run of it had, keys for effects elsewhere are other
 * ones, and {@link io.callboard.workflows.internal.instance.InstanceMachine#renew} begins anew what
 * was under way.
 *
 * <h2>Invariants</h2>
 *
 * <ul>
 *   <li>I1: a run has a number that no other run of its step has, and is started by one event.
 *   <li>I2: a step has at most one open run; reports of others change nothing. Nor does a report of
 *       a run that was requested before the instance was restored.
 *   <li>I3: a step is settled once in a round, and how is a matter of the graph ({@link
 *       io.callboard.workflows.graph}), not of the order of reports.
 *   <li>I4: an instance of whose steps none is open has ended, or has more decisions to emit.
 *   <li>I5: a progress that is made anew from the state goes on like the one before: nothing that
 *       was decided but not persisted is lost, and nothing persisted is decided again.
 *   <li>I6: at most {@link io.callboard.workflows.internal.instance.InstanceMachine#MOST_EVENTS}
 *       events a turn, fewer if they and the inputs of sub-workflows are large ({@code TurnSize}),
 *       and {@link io.callboard.workflows.internal.instance.InstanceMachine#MOST_OPEN} open runs an
 *       instance; ready steps beyond wait.
 *   <li>I7: a cancellation lets finally steps and compensation run. From the event that forces it
 *       on no run begins, and all that is open is asked to end; the outcome is the same. Forced
 *       once more, it asks once more. What has not ended after a minute is given up: an instance
 *       that is forced ends, whatever else works.
 *   <li>I8: what a step sees ({@link io.callboard.workflows.internal.instance.StepInputs}) is the
 *       same for all runs of a round, in each life: all of it was settled when the first one began.
 *   <li>I9: data is checked where it comes into being with {@code Json.data}: all that holds it can
 *       be written and read. What cannot be asked of anybody ({@code RunCheck}) fails its step.
 *   <li>I10: the sub-workflows below an instance end in number, also if a definition runs itself,
 *       or undoes a step with itself ({@code TreeLimits}).
 * </ul>
 *
 * <h2>Failure windows</h2>
 *
 * <p>A turn fails after events were emitted: the progress is of a state that never was, and is made
 * anew. Reports of runs may come twice, late, or of a run of an earlier round: I2.
 *
 * <p>An instance is restored: jobs and instances that its steps had begun since that event, or that
 * were jobs then, go on, as the state does not name them, and their ends change nothing. Runs with
 * workers do, too, until the step runs again, which the desk defers until they are over.
 */
@NullMarked
@CheckReturnValue
package io.callboard.workflows.internal.instance;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
