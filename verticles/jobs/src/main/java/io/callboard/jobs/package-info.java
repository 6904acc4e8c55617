/**
 * The job scheduler: processes run on the slots of hosts, under the limits of their types. Built on
 * the front door alone, as the first proof that it suffices.
 *
 * <h2>Protocol</h2>
 *
 * <pre>
 * submit → JobActor (durable, one a job) ─ Enqueue → Gate (durable, one a cell)
 *          JobActor ← Granted ─ handle durable first ─┘     ↑ Report: these runs are here, no others
 *          JobActor ─ Start → Monitor (volatile, one a host) ┘
 *          JobActor ← Started, Ended ─┘ the process, under its shim
 *          JobActor ─ Release → Gate: the slot is free
 * </pre>
 *
 * <h2>Invariants</h2>
 *
 * <ul>
 *   <li>J1: no run without a handle, and a handle is durable before its run leaves the gate; so
 *       limits and slots hold at every moment, over restarts too.
 *   <li>J2: at most one live run of a job; its id rises with each grant and is never reused, also
 *       if the grant was given back.
 *   <li>J3: an outcome counts only for the run that is open.
 *   <li>J4: silence frees no slot: only the job's own Release, the host's promise that the run is
 *       not there and never will be, or the end of the host's boot do.
 *   <li>J5: counts are derived from handles, never kept.
 * </ul>
 *
 * <h2>Failure windows</h2>
 *
 * <ul>
 *   <li>The node dies while a run is alive: the shim's pipe closes and it kills the group. At the
 *       restart {@link io.callboard.jobs.OrphanedRuns} kills what escaped, and reports outcomes
 *       that were written but not reported. The handles of the old boot are void once it has been
 *       no member for {@link io.callboard.jobs.gate.GateMachine#DEATH_GRACE}, and those jobs queue
 *       again for their next run. The node dies between grant and start: the same.
 *   <li>A Start is lost, or late by any time: the host's reports lack the run, so the gate asks the
 *       host to disown it. The answer is a promise that it never starts; only then the run is lost.
 *   <li>The gate restarts: it knows its handles, and grants nothing on a host before that host has
 *       reported.
 *   <li>The node is cut off: when it has not heard of the store for a whole session, by its own
 *       clock and counted from the request that was answered, it kills its runs; if it is frozen,
 *       its guard does, and the shim of a run that it was about to start begins nothing. Nobody
 *       thinks it dead before a session and {@link io.callboard.jobs.gate.GateMachine#DEATH_GRACE}
 *       are over, so no run is alive twice. What was granted to it before does not start either: it
 *       has begun a new term, and refuses grants of earlier ones. Those runs are lost once the
 *       store is heard again. (So an outage of the whole store that outlasts a session ends every
 *       run, too: a node cannot tell the one from the other.)
 *   <li>Another node takes the name of one that is frozen or cut off: it says nothing of runs of
 *       that boot, which may be alive until their guard ends them.
 *   <li>The node stops in order: it offers no slot, kills its runs, and only then reports them
 *       lost, so that none is alive when its job is granted the next.
 *   <li>A host kills runs for a reason of its own: that leaves no outcome, so should the report be
 *       lost, they are found lost, not failed.
 * </ul>
 *
 * <p>What remains: runs of a machine that was suspended as a whole, its guard included, go on when
 * it is resumed until the guard or the node has looked at the clock, while their successors may run
 * elsewhere: some milliseconds if the clock went on, else until the node learns that its session is
 * over. {@code CALLBOARD_EPOCH} tells them apart. And a run that finished is never run again,
 * unless its node died after the work and before the shim wrote the exit code: then nobody can
 * know.
 */
@NullMarked
@CheckReturnValue
package io.callboard.jobs;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
