/**
 * The job scheduler: processes and handlers run on the slots of hosts, under the limits of their
 * types. Built on Callboard's public API alone, as the first proof that it suffices.
 *
 * <p>{@link io.callboard.jobs.Jobs} is the scheduler as its users see it. The rooms:
 *
 * <ul>
 *   <li>{@link io.callboard.jobs.model}: its values; {@code io.callboard.jobs.internal.protocol}:
 *       messages, events and states of its actors;
 *   <li>{@code io.callboard.jobs.internal.gate}: the decisions of the gate, without I/O;
 *   <li>{@code io.callboard.jobs.internal.actor}: jobs, gate, host monitors, keys;
 *   <li>{@code io.callboard.jobs.internal.index}: which jobs there are, each node for its
 *       partitions;
 *   <li>{@code io.callboard.jobs.internal.archiving}: how long ended jobs are kept;
 *   <li>{@code io.callboard.jobs.internal.runner}: the contract of a runner; {@code
 *       io.callboard.jobs.internal.process}: runs as processes of the operating system; {@code
 *       io.callboard.jobs.internal.call}: runs as calls of handlers; {@code
 *       io.callboard.jobs.internal.files}: what they leave on their host.
 * </ul>
 *
 * <p>This package itself holds what each node runs beside the actors: submissions, lists, the
 * clean-up of runs and keys. {@code JobsNode} puts a node's part together.
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
 * <p>J1, J4 and J5 are kept by {@code io.callboard.jobs.internal.gate}, J2 and J3 by {@code
 * io.callboard.jobs.internal.actor}; that a run id is started at most once, and that a host ends
 * its runs in time, by {@code io.callboard.jobs.internal.process}.
 *
 * <h2>Failure windows</h2>
 *
 * <ul>
 *   <li>The node dies while a run is alive: the shim's pipe closes and it kills the group. At the
 *       restart {@code OrphanedRuns} kills what escaped, and reports outcomes that were written but
 *       not reported. The jobs of the other runs queue again for their next run.
 *   <li>A node dies: until the others have its partitions, lists lack its jobs and say that they
 *       are partial. No decision about a job is made by the index.
 * </ul>
 *
 * <p>What remains: runs of a machine that was suspended as a whole, its guard included, go on when
 * it is resumed until the guard or the node has looked at the clock, while their successors may run
 * elsewhere: some milliseconds if the clock went on, else until the node learns that its session
 * has ended. {@code CALLBOARD_EPOCH} tells them apart. And a run that finished is never run again,
 * unless its node died after the work and before the shim wrote the exit code: the outcome is
 * unknown then.
 */
@NullMarked
@CheckReturnValue
package io.callboard.jobs;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
