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
 * <p>J1: no run without a handle, and a handle is durable before its run leaves the gate; so limits
 * and slots hold at every moment, over restarts too. J2: at most one live run of a job; its id
 * rises by one for each grant and is never reused. J3: an outcome counts only for the run that is
 * open. J4: silence frees no slot: only the job's own Release, a report of the host's that the run
 * is not there, or the host's death do. J5: counts are derived from handles, never kept.
 *
 * <h2>Failure windows</h2>
 *
 * <p>The node dies while a run is alive: the shim's pipe closes and it kills the group; at the
 * restart {@link io.callboard.jobs.LeftRuns} kills what escaped and tells outcomes that were
 * written but not told; the first report of the new boot then voids the handles of the old one, and
 * those jobs queue again as the next run. The node dies between grant and start: the same. A Start
 * is lost: the host's next report lacks the run after its grace. The gate restarts: it knows its
 * handles, and grants nothing on a host before that host has reported. The node is cut off: when it
 * has not heard of the store for a whole session, by its own clock and counted from the question
 * that was answered, it kills its runs, and its guard does if it is frozen; nobody thinks it dead
 * before a session and {@link io.callboard.jobs.Gate#DEATH_GRACE} are over, so none of them runs
 * twice. They are told lost when the store is heard again. (So an outage of the whole store that
 * outlasts a session ends every run, too: a node cannot tell the one from the other.) The node
 * stops in order: it offers no slot, kills its runs, and only then tells them lost, so that none is
 * alive when it is granted again. What a host kills for a reason of its own leaves no outcome:
 * should the telling fail, the run is found lost, not failed. What remains: runs of a virtual
 * machine that was suspended go on until it learns that its session is over; a Start that was on
 * its way for longer than a session begins a run that was granted again, until the gate hears of it
 * with the next report; a node that takes the name of a frozen one on another machine voids its
 * grants at once, while the guard comes a second or two later. {@code CALLBOARD_EPOCH} tells them
 * apart.
 *
 * <p>A run that finished is never run again, unless its node died after the work and before the
 * shim wrote the exit code: then nobody can know.
 */
@NullMarked
@CheckReturnValue
package io.callboard.jobs;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
