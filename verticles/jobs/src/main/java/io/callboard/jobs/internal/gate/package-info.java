/**
 * Machines of the gate, which decides which waiting runs start, and on which hosts, and why the
 * others wait. They have no I/O and no clock: they are given the state, reports of hosts, the
 * members and the time, and return {@link io.callboard.jobs.internal.gate.GateStep}s.
 *
 * <p>{@link io.callboard.jobs.internal.gate.GateState} is durable: the waiting runs, and the
 * handles, one for each granted run that has not ended. {@link
 * io.callboard.jobs.internal.gate.HostView}, the last report of each live host, is in memory.
 * {@code GateIndex} is derived from the state. {@code AdmissionMachine} chooses the runs that start
 * next, {@code HostWatch} asks hosts that owe a report, {@code PullPlan} and {@code Window} move
 * runs between the gate and the backlogs of the types ({@link
 * io.callboard.jobs.internal.gate.BacklogState}), and {@link
 * io.callboard.jobs.internal.gate.BlockedReasons} explains why a job does not run.
 *
 * <p>A grant is durable before it is sent (J1), the silence of a host frees no slot (J4), and the
 * numbers of taken and free slots are derived from the handles (J5: {@link
 * io.callboard.jobs.internal.gate.RunCounts}). The protocol, all invariants, bounds and failure
 * windows are in {@code bootstrap/docs/design/job-gate.md}.
 *
 * <p>Size: admission is one decision, and all queues, limits and counts that it needs are here.
 */
@NullMarked
@CheckReturnValue
package io.callboard.jobs.internal.gate;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
