/**
 * Actors of the job scheduler: jobs, keys, the gate, backlogs, the monitors of hosts.
 *
 * <h2>Protocol</h2>
 *
 * <pre>
 * submit → JobActor (durable, one a job) ─ Enqueue → Gate (durable, one a cell)
 *          JobActor ← Granted ─ handle durable first ─┘         ↑ Report: these runs, no others
 *          JobActor ─ Start → HostMonitor (volatile, one a host) ┘
 *          JobActor ← Started, Ended ─┘ the process, under its shim
 *          JobActor ─ Release → Gate: the slot is free
 *          Gate ─ Keep, Pull → Backlog (durable, one a type) ─ Returned → Gate
 *          JobActor ← Silent, Heard, Inspected ─ Gate: the host of its run
 *          Gate ─ Report?, Inspect, Disown → HostMonitor ─ Report, Inspected, Disowned → Gate
 * </pre>
 *
 * <p>{@link io.callboard.jobs.internal.actor.Gate} carries out what {@link
 * io.callboard.jobs.internal.gate.GateMachine} decides. {@link
 * io.callboard.jobs.internal.actor.HostMonitor} is volatile and forgets nothing: {@link
 * io.callboard.jobs.internal.actor.HostRuns} outlives it, one object a boot. {@link
 * io.callboard.jobs.internal.actor.JobKey} is one durable actor a key, so that two claims cannot
 * both win.
 *
 * <p>{@code RunWatch} looks at the files of all live runs once a second: the job learns progress,
 * checkpoints (at most every five seconds), stalls and their ends (at once) as Progressed, Wrote
 * and Stalled. {@code RunProgress} decides that for one run, until its report is accepted; it
 * outlives the monitor, too. What a run left comes with its end, so that the next run has its
 * checkpoint.
 *
 * <p>Reports are durable mail of the gate, as some must come before what follows them. Those that a
 * host repeats are held back while the last ones wait unread: a cell may have no gate.
 *
 * <h2>Invariants</h2>
 *
 * <p>J2: at most one live run of a job; its id rises with each grant and is never reused. J3: an
 * outcome counts only for the run that is open. {@link
 * io.callboard.jobs.internal.transition.JobTransition} is the table of a job's transitions, {@link
 * io.callboard.jobs.internal.transition.RunTransition} that of a run's; a stale message is kept as
 * an event and changes nothing but what must be given back. A host that cannot start anything
 * offers no slot, and its fault is never an attempt of the job ({@code HostFitness}). One of which
 * a start does not return offers none either, and its runs keep their slots: nobody knows whether
 * the process is there ({@code OpenStarts}).
 *
 * <p>Gate and backlogs refuse to be restored to an earlier event: jobs and hosts do not forget what
 * they were granted since. The state of all other actors here is not made of events.
 *
 * <h2>Failure windows</h2>
 *
 * <ul>
 *   <li>The node dies between grant and start: the handles of the old boot are void once it has
 *       been no member for {@code GateMachine.DEATH_GRACE}, and those jobs queue again for their
 *       next run.
 *   <li>The node is cut off: when it has not heard of the store for a whole session, by its own
 *       clock and counted from the request that was answered, it kills its runs; if it is frozen,
 *       its guard does, and the shim of a run that it was about to start begins nothing. No other
 *       node takes it for dead before a session and {@code GateMachine.DEATH_GRACE} have passed, so
 *       no run is alive twice. What was granted to it before does not start either: it has begun a
 *       new term, and refuses grants of earlier ones. Those runs are lost once the store is heard
 *       again. (So an outage of the whole store that outlasts a session ends every run, too: a node
 *       cannot tell the one from the other.)
 *   <li>Another node takes the name of one that is frozen or cut off: it says nothing of runs of
 *       that boot, which may be alive until their guard ends them.
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
