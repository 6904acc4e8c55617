/**
 * States of a job, and the table of their transitions.
 *
 * <p>{@link io.callboard.jobs.table.JobTransition} is the table: one row per constant, in order.
 * {@link io.callboard.jobs.actor.JobActor} turns each message into a {@link
 * io.callboard.jobs.table.JobTrigger} and the {@link io.callboard.jobs.table.JobFacts} about it,
 * takes the first row that fits, and carries out its {@link io.callboard.jobs.table.JobEffect}s.
 * Nothing else changes the state of a job. The page {@code reference/job-states.md} is printed from
 * the table.
 *
 * <h2>Invariants</h2>
 *
 * <ul>
 *   <li>Each pair of a state and a trigger has a row for any facts.
 *   <li>A message about a run that is not the open one changes no state; a slot that it names is
 *       given back.
 *   <li>A job has a run that may be alive in ADMITTED, RUNNING, STALLED, SUSPECT and CANCELLING
 *       only, and leaves them only when its host, or the gate for a dead host, has reported the end
 *       of the run.
 * </ul>
 */
@NullMarked
@CheckReturnValue
package io.callboard.jobs.table;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
