/**
 * Actors of the job scheduler: jobs, keys, the gate, backlogs, the monitors of hosts.
 *
 * <p>A job asks the gate for a run. The gate grants it a slot of a host, and keeps a handle for
 * that slot until the run has ended. The job then asks the monitor of the host to start the run.
 * Waiting runs beyond the window of the gate are in the backlog of their type.
 *
 * <h2>Protocol, by the names of its messages</h2>
 *
 * <pre>
 * submit → JobActor (durable, one a job) ─ Enqueue → Gate (durable, one a cell)
 *          JobActor ← Granted: the handle is durable ─┘         ↑ Report: all runs of the host
 *          JobActor ─ Start → HostMonitor (volatile, one a host) ┘
 *          JobActor ← Started, Ended ─┘ of the process or handler
 *          JobActor ─ Release → Gate: the slot is free
 *          Gate ─ Keep, Pull → Backlog (durable, one a type) ─ Returned → Gate
 *          JobActor ← Silent, Heard, Inspected ─ Gate: state of the host of its run
 *          Gate ─ Report → HostMonitor ─ Report → Gate: a host that is silent is asked to report
 *          Gate ─ Inspect (runs without progress), Disown (missing runs) → HostMonitor ─ answers → Gate
 * </pre>
 *
 * <p>{@link io.callboard.jobs.internal.actor.Gate} carries out what {@link
 * io.callboard.jobs.internal.gate.GateMachine} decides. {@link
 * io.callboard.jobs.internal.actor.HostMonitor} is volatile; the runs of the host are in {@link
 * io.callboard.jobs.internal.actor.HostRuns}, one object a boot, which outlives it. {@link
 * io.callboard.jobs.internal.actor.JobKey} is one durable actor a key, so that two claims cannot
 * both win.
 *
 * <p>{@code RunWatch} scans the files of all live runs once a second. The job gets progress
 * (Progressed) and checkpoints (Wrote) at most every five seconds, a stall (Stalled) and its end at
 * once. {@code RunProgress} decides that for one run, and outlives the monitor, too. Ended carries
 * the last files of a run, so that the next run has its checkpoint. Reports are durable mail of the
 * gate, because their order matters. A host does not repeat them while its last ones wait unread: a
 * cell may have no gate.
 *
 * <h2>Invariants</h2>
 *
 * <p>J2: at most one live run of a job; its id rises with each grant and is never reused. J3: an
 * outcome counts only for the run that is open. {@link
 * io.callboard.jobs.internal.transition.JobTransition} is the table of a job's transitions, {@link
 * io.callboard.jobs.internal.transition.RunTransition} that of a run's; a stale message only
 * becomes an event, or gives a slot back. A host that cannot start anything offers no slot, and its
 * fault is never an attempt of the job ({@code HostFitness}). A host on which a start does not
 * return offers none either, and the run keeps its slot: nobody knows whether its process exists
 * ({@code OpenStarts}). Gate and backlogs refuse to be restored to an earlier event: jobs and hosts
 * remember what was granted since. The state of all other actors here is not made of events.
 *
 * <h2>Failure windows</h2>
 *
 * <ul>
 *   <li>The node dies between grant and start: the handles of the old boot are void once it has
 *       been no member for {@code GateMachine.DEATH_GRACE}, and those jobs queue again for their
 *       next run.
 *   <li>The node is cut off: when it has not heard of the store for a whole session, by its own
 *       clock, it kills its runs; if it is frozen, its watchdog does, and the shim of a starting
 *       run begins nothing. No other node takes it for dead before a session and {@code
 *       GateMachine.DEATH_GRACE} have passed, so no run is alive twice. Earlier grants do not start
 *       either, as the host has begun a new term. Those runs are lost once the store is heard
 *       again. (An outage of the whole store that outlasts a session ends every run, too.)
 *   <li>Another node takes the name of one that is frozen or cut off: its reports do not count for
 *       runs of the other boot, which may be alive until their watchdog ends them.
 *   <li>The node dies: the checkpoint of the next run is the last one that was reported, up to five
 *       seconds old, unless the host is back before the run is given up: it reports the files of
 *       its lost runs first.
 *   <li>The node stops in order: it offers no slot, kills its runs, and only then reports them
 *       lost, so that none is alive when its job is granted the next.
 *   <li>The report of a start fails: it is repeated until its job has it, or the run has ended and
 *       its outcome is repeated in its place.
 *   <li>A host kills runs for a reason of its own: without an outcome they are lost, not failed.
 * </ul>
 *
 * <p>Size: job, gate and host are one protocol.
 */
@NullMarked
@CheckReturnValue
package io.callboard.jobs.internal.actor;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
