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
 * open. J4: silence frees no slot: only the job's own Release, the host's word that the run is not
 * there and never will be, or the host's death do. J5: counts are derived from handles, never kept.
 *
 * <h2>Failure windows</h2>
 *
 * <p>The node dies while a run is alive: the shim's pipe closes and it kills the group; at the
 * restart {@link io.callboard.jobs.LeftRuns} kills what escaped and tells outcomes that were
 * written but not told; the handles of the old boot are void once it was no member for {@link
 * io.callboard.jobs.GateMachine#DEATH_GRACE}, and those jobs queue again as the next run. The node
 * dies between grant and start: the same. A Start is lost, or late by any time: the host's reports
 * lack the run, so the gate asks the host to disown it; the answer is a promise that it never
 * starts, and only then it is lost. The gate restarts: it knows its handles, and grants nothing on
 * a host before that host has reported. The node is cut off: when it has not heard of the store for
 * a whole session, by its own clock and counted from the question that was answered, it kills its
 * runs, and its guard does if it is frozen; nobody thinks it dead before a session and {@link
 * io.callboard.jobs.GateMachine#DEATH_GRACE} are over, so none of them runs twice. What was granted
 * to it before does not start either: it has begun a new term, and refuses grants of earlier ones.
 * They are told lost when the store is heard again. (So an outage of the whole store that outlasts
 * a session ends every run, too: a node cannot tell the one from the other.) The node stops in
 * order: it offers no slot, kills its runs, and only then tells them lost, so that none is alive
 * when it is granted again. What a host kills for a reason of its own leaves no outcome: should the
 * telling fail, the run is found lost, not failed. What remains: runs of a machine that was
 * suspended as a whole, its guard included, go on when it is resumed until the guard or the node
 * has looked at the clock, while their successors may run elsewhere: some milliseconds if the clock
 * went on, else until the node learns that its session is over. {@code CALLBOARD_EPOCH} tells them
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
