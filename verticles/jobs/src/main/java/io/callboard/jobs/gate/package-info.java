/**
 * The gate as a machine: slots of types, fitness of hosts, which runs are admitted, and why the
 * rest waits. No I/O, no clock: state, reports, members and the time in, {@link
 * io.callboard.jobs.gate.GateStep}s out.
 *
 * <h2>Protocol</h2>
 *
 * <p>{@link io.callboard.jobs.gate.GateState} is durable: what waits, and the handles that were
 * granted. {@link io.callboard.jobs.gate.HostView}, the last report of each live host, is not.
 * {@code GateIndex} is derived from the state and follows it event by event, so that a decision
 * costs O(log n) of the waiting runs: they wait in {@code RunLane}s of runs that need the same.
 * {@code AdmissionMachine} chooses by effective priority, then by enqueue order, the host with the
 * most free slots; {@link io.callboard.jobs.gate.BlockedReasons} says of each waiting job why it
 * does not run.
 *
 * <p>The gate chooses from a {@code Window} of 20,000 waiting runs. What waits beyond it is in the
 * backlog of its type ({@link io.callboard.jobs.gate.BacklogState}) and is pulled in by priority,
 * each fourth time in turn, first come, first served. A run moves between the two with a message,
 * so it is always in one of them; while a backlog has runs of a priority, or may have, further ones
 * of that priority follow them there, so none overtakes another.
 *
 * <p>{@code HostWatch} asks a host that owes a report, and one that reports a run without progress,
 * with pauses that double and have jitter, a limited number of times. A host that stays silent, or
 * one that is no member any more, is notified to the jobs of its runs, and so is its return; both
 * are events of the gate, so a new gate goes on with what the jobs know. Questions are not: a new
 * gate asks anew.
 *
 * <p>A handle is voided only in three ways: its job releases it; its host says that the run is not
 * there and never will be; its host's boot has been no member of the cell for {@code
 * GateMachine.DEATH_GRACE}. A run that its host does not report for {@code GateMachine.START_GRACE}
 * is asked for; only the answer counts, never the time. A run that a host reports and that has no
 * handle is killed if the next report names it, too, for which the gate asks at once: a report may
 * be older than the end of a run.
 *
 * <h2>Invariants</h2>
 *
 * <p>J1: a grant is durable before it is sent. J4: silence frees no slot. J5: running and free
 * slots are derived from the handles ({@link io.callboard.jobs.gate.RunCounts}), never counted up
 * and down, so no slot can leak.
 *
 * <h2>Failure windows</h2>
 *
 * <ul>
 *   <li>The gate restarts: it knows its handles, and grants nothing on a host before that host has
 *       reported. It may think too many runs alive, never too few.
 *   <li>A Start is lost, or late by any time: the host's reports lack the run, so the gate asks the
 *       host to disown it. The answer is a promise that it never starts; only then the run is lost.
 *   <li>A clock is wrong: whether a slot is free does not depend on it. When a waiting run is due,
 *       and when it has waited too long, its job reckons by the clock of its node and the gate
 *       compares that with its own, so a run is early or late.
 * </ul>
 */
@NullMarked
@CheckReturnValue
package io.callboard.jobs.gate;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
