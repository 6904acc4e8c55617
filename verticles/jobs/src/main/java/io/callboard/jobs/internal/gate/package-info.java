/**
 * The gate as a machine: slots of types, fitness of hosts, which runs are admitted, and why the
 * rest waits. No I/O, no clock: state, reports, members and the time in, {@link
 * io.callboard.jobs.internal.gate.GateStep}s out.
 *
 * <p>{@link io.callboard.jobs.internal.gate.GateState} is durable: what waits, and the handles that
 * were granted. {@link io.callboard.jobs.internal.gate.HostView}, the last report of each live
 * host, is not. {@code GateIndex} is derived from the state. {@code AdmissionMachine} chooses what
 * goes next, {@code HostWatch} asks hosts that owe a report, {@code PullPlan} and {@code Window}
 * move runs between the gate and the backlogs of the types ({@link
 * io.callboard.jobs.internal.gate.BacklogState}), and {@link
 * io.callboard.jobs.internal.gate.BlockedReasons} says of each waiting job why it does not run.
 *
 * <p>A grant is durable before it is sent (J1), silence frees no slot (J4), and running and free
 * slots are derived from the handles (J5: {@link io.callboard.jobs.internal.gate.RunCounts}). The
 * protocol, all invariants, bounds and failure windows are in {@code
 * bootstrap/docs/design/job-gate.md}.
 *
 * <p>Size: admission is one decision, and all queues, limits and counts that it goes by are here.
 */
@NullMarked
@CheckReturnValue
package io.callboard.jobs.internal.gate;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
