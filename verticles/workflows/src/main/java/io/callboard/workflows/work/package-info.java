/**
 * Work pulling as two machines: the desk, which queues runs of steps and assigns them, and the
 * worker, which runs them. No I/O, no clock.
 *
 * <h2>Protocol</h2>
 *
 * <table>
 *   <caption>Messages</caption>
 *   <tr><th>message</th><th>from → to</th><th>meaning</th></tr>
 *   <tr><td>Request</td><td>instance → desk</td><td>queue this run; repeated until answered, and to
 *       each new desk. Idempotent: the desk knows one run of a step at most. It names the epoch in
 *       which its node owns the instance; the desk takes none of a former owner, but answers that
 *       it is outdated</td></tr>
 *   <tr><td>Hello</td><td>worker → desk</td><td>slots, types and all runs that it holds, and slots and
 *       types of each zone of handlers: at its start, to each new desk, after changes, and every 5 s.
 *       Slots are absolute, so no credit can be lost. If only what runs wait for has changed, which
 *       is for people, a second after the last one at the earliest</td></tr>
 *   <tr><td>Assign</td><td>desk → worker</td><td>run this; against credit, to one worker: of those
 *       that offer the type, the one with the most credit, or that of the instance's node if it has
 *       half as much</td></tr>
 *   <tr><td>Given</td><td>desk → node of the instance</td><td>that worker gets it; sent before the
 *       Assign. Each later request names the worker: if the desk and it die together, the next desk
 *       reports the run lost</td></tr>
 *   <tr><td>Accepted</td><td>worker → desk</td><td>it runs</td></tr>
 *   <tr><td>IsOpen</td><td>worker → instance</td><td>is it to run still: asked before the first line
 *       of code of a run that was requested again. One that is not open is settled for worker and
 *       desk. Without an answer to {@code WorkerMachine.MOST_ASKS} of them it is given back, and
 *       rests at the desk for {@code DeskRuns.REST}: it keeps no slot from others</td></tr>
 *   <tr><td>Revoke</td><td>desk → worker</td><td>not accepted for 5 s, or missing in a Hello: say what
 *       is with it, and never begin it if it has not begun; repeated</td></tr>
 *   <tr><td>Revoked</td><td>worker → desk</td><td>it never began, and waits again with the same number;
 *       or it is lost. Also without a Revoke, for a run that was accepted and got no thread. A new
 *       desk that has no request for it yet forgets it, and waits for that</td></tr>
 *   <tr><td>Ended</td><td>worker → desk</td><td>its slot is free</td></tr>
 *   <tr><td>Done</td><td>worker → instance</td><td>how it ended; repeated until the instance has
 *       committed it</td></tr>
 *   <tr><td>Settled</td><td>worker → desk</td><td>its instance knows; the desk forgets it,
 *       and ends it if another worker runs it</td></tr>
 *   <tr><td>End</td><td>desk → worker</td><td>cancel it; repeated</td></tr>
 *   <tr><td>Lost</td><td>desk → instance</td><td>it does not run and never will, and nobody knows how
 *       it ended; repeated until it is durable</td></tr>
 *   <tr><td>Bye</td><td>worker → desk</td><td>it has stopped in order and holds nothing</td></tr>
 * </table>
 *
 * <p>All messages between desk and worker carry the epoch of the desk, and the boot and life of the
 * worker. A desk that was replaced is not obeyed, and its answers to instances do not count; news
 * for another desk are answered with the present epoch, which the worker answers with a Hello. A
 * worker begins another life when its actor restarts, and when its session may have ended: it ends
 * all runs then, and orders to an earlier life are for nobody. News are numbered; those that were
 * overtaken are dropped, and the next Hello mends what they would have said.
 *
 * <p>A worker remembers the newest epoch over its lives. Only the present desk can make a boot
 * durable, so a desk that was replaced has no worker of which its successor does not know; nor one
 * that its successor took for dead and that is back, as that one has begun another life.
 *
 * <p><b>Zones of handlers.</b> A worker has slots of its own, and others for each scheduling zone
 * in which handlers of it run ({@code DeskSeat}, {@code WorkerLanes}). A run takes a slot of one of
 * them, which its Assign names and its worker's Hello repeats, so both count alike; no zone takes
 * the credit of another one. A zone that is full is offered with no slots and the reason; so is one
 * in which a run could not begin, for a second, and for twice as long each time, up to a minute,
 * until one begins there. A desk of an earlier version knows the worker's own slots only and gives
 * runs of all types against them; it names no zone, and the types of a zone that takes none are not
 * among those that the worker reports, so that it does not give back and get the same run at once.
 *
 * <p><b>Start of a desk.</b> Before a life of a worker gets its first run of a desk, its boot is
 * durable at the worker master, which confirms that to the present desk alone. A new desk assigns
 * nothing until each such worker has said Hello to it, or its node has been no member of the cell
 * for {@link io.callboard.workflows.work.WorkMachine#DEATH_GRACE}. What a Hello names stays where
 * it is; what is over for its instance is ended there, and a later run of its step waits for that.
 * A cancellation is kept until a worker names its run, or all have reported; it is carried out
 * before anything is assigned. A run is not reported lost before: another worker may have it. The
 * master is asked once for each life, and again after {@code DeskWorkers.ENROLL_PAUSE}; by its
 * answer a desk that was replaced learns that it was. A boot that holds nothing any more is
 * forgotten there. Requests of a desk are numbered: one to forget a boot that comes after the boot
 * has returned and was made durable again, by a later request, has no effect.
 *
 * <p><b>Owners of instances.</b> A node that was cut off for longer than its session may live on
 * with a list of what its instances had open, and repeat it to each desk to come. The desk reads
 * the epochs of the owners ({@code InstanceOwners}) before it learns the members, so before it
 * assigns anything, and every few seconds; requests name later ones. What waits and was requested
 * in an earlier epoch is not assigned; the present owner requests all that is open, and it keeps
 * its place then. The nodes themselves forget their lists with the lease.
 *
 * <p><b>One run stands for its step.</b> {@code HeldRule} is the table of what a Hello means. A run
 * that two workers name is where it lives; of two runs of a step the later one stands, as its
 * instance has given the earlier one up, unless nobody has begun it. What workers have besides
 * stays known: alive, it takes its slot, and another run of the step is to end; what a worker has
 * of the same run counts if that is lost where it stands, until it is settled or its worker has it
 * no more. Two may name a run as alive while one of them ends it because its session had ended.
 * When the one that stands is over, what is alive beside it stands, and a later run waits for that.
 *
 * <p><b>Order.</b> Between definitions by weight, within the pool of workers that offer the same
 * ({@code FairShare} states the bound); within a definition by priority with aging, then by arrival
 * ({@code RunLanes}).
 *
 * <h2>Invariants</h2>
 *
 * <ul>
 *   <li>R1: a step has one live run at most. A later run of it waits until the earlier one is over.
 *   <li>R2: no run that was requested again begins longer after its end than messages are late.
 *   <li>R3: no run that is open begins again under its number if its node has named the worker that
 *       had begun it.
 *   <li>S1: a requested run is settled once, as its instance sees it: done, lost or cancelled.
 *   <li>S2: a run that the desk reports lost or cancelled is not alive.
 *   <li>S3: a run that a desk was asked to cancel is not assigned by it.
 *   <li>S4: a run is not reported lost while a worker has said that it has it, or its result.
 *   <li>S5: a desk assigns no run that its instance had settled before that desk opened.
 *   <li>C1: credit is derived, never counted: slots less the runs that were given or named and are
 *       not over; of a worker's own and of each of its zones apart.
 *   <li>C2: nothing waits while a worker that offers it has credit, but for what rests.
 *   <li>L1: when faults cease, every request is settled and every slot is free again.
 * </ul>
 *
 * <p>{@code WorkRehearsal} plays them with faults, and with flaws that must break them.
 *
 * <h2>Failure windows</h2>
 *
 * <ul>
 *   <li>A worker dies with a result that its instance does not know: the run is lost, and the step
 *       runs again.
 *   <li>A node is cut off: its worker ends its runs when its session may have ended, by its own
 *       clock. Others take it for dead when it is no member any more and {@link
 *       io.callboard.workflows.work.WorkMachine#DEATH_GRACE} has passed. A handler that does not
 *       end when it is cancelled goes on; what it returns does not count. As long as its node is a
 *       member, its run is not over before it has had {@link WorkerMachine#CANCEL_GRACE}.
 *   <li>Desk, worker and the node of the instance die together, as in a cell of one node, or the
 *       Given was lost: the next desk does not know that a run had begun, and assigns it again
 *       under the same number, after that worker's node is gone. If that node lives, it is lost,
 *       also if it had not begun.
 *   <li>A first request that is late for so long that its run was requested again, ended, and was
 *       forgotten by the desk (it moved, or 50,000 later steps): it runs once more, unless another
 *       node owns the instance by then. So may one that is repeated, if the instance's answer that
 *       it is open is overtaken by its end. The outcome is ignored.
 *   <li>Nodes of earlier versions name no epoch, and do not say that they repeat a request: what
 *       they keep after their session is taken, as it was before.
 *   <li>A desk that was replaced, and does not know it, may report a run lost that its successor
 *       has assigned again: the instance requests the next one, which begins when that one is over.
 *   <li>A worker's actor cannot be started at all while its node lives: a new desk waits for it,
 *       and says so in every {@code why}.
 * </ul>
 *
 * <h2>Limits</h2>
 *
 * <p>{@link io.callboard.workflows.work.WorkMachine#MOST_QUEUED} runs wait at the desk at most;
 * further requests are refused with a delay. As many cancellations are kept by a desk that does not
 * know yet who has their runs; further ones are refused, and repeated by their nodes. A worker
 * holds up to 10,000 results that their instances do not know, and takes no runs then. A desk
 * remembers the last run that is over of 50,000 steps, a worker 50,000 runs.
 */
@NullMarked
@CheckReturnValue
package io.callboard.workflows.work;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
