/**
 * States of a job and of its runs, and the tables of their transitions.
 *
 * <p>{@link io.callboard.jobs.internal.transition.JobTransition} is the table of a job: one row per
 * constant, in order. {@link io.callboard.jobs.internal.actor.JobActor} turns each message into a
 * {@link io.callboard.jobs.internal.transition.JobTrigger} and the {@link
 * io.callboard.jobs.internal.transition.JobFacts} about it, takes the first row that fits, and
 * carries out its {@link io.callboard.jobs.internal.transition.JobEffect}s. Nothing else changes
 * the state of a job.
 *
 * <p>{@link io.callboard.jobs.internal.transition.RunTransition} is the table of a run, by the same
 * triggers and by {@link io.callboard.jobs.internal.transition.RunFacts}. It is asked first: what
 * it refuses is, for the table of the job, about another run, and the state that it gives to a run
 * that ends decides what the job has used up. Nothing else names the next state of a run. A {@code
 * JobDecision} is refused whose job is in another state than its row says. The page {@code
 * reference/job-states.md} is printed from both.
 *
 * <h2>Invariants</h2>
 *
 * <ul>
 *   <li>Each pair of a state and a trigger has a row for any facts; so has each pair of a state of
 *       a run and a trigger that names a run.
 *   <li>A message about a run that is not the open one changes no state; a slot that it names is
 *       given back. Reports to a job bear no epoch: the ids of its runs are never reused, and do
 *       the work of one.
 *   <li>A job has a run that may be alive in ADMITTED, RUNNING, STALLED, SUSPECT and CANCELLING
 *       only, and leaves them only when its host, or the gate for a dead host, has reported the end
 *       of the run.
 *   <li>A run that is over stays as it ended. One whose start was reported cannot turn out not to
 *       have started: that is refused, and its slot stays taken.
 *   <li>What becomes of a run that is alive in a state which only a newer node knows is decided
 *       there: its job does not start on this node. A run that has ended is over, whatever its
 *       state is called.
 * </ul>
 */
@NullMarked
@CheckReturnValue
package io.callboard.jobs.internal.transition;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
