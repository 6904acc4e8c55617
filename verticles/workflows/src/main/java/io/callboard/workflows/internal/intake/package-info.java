/**
 * Start of instances as machines: brakes, permits to begin by weight, and the intake of messages.
 * No I/O, no clock.
 *
 * <h2>Permits</h2>
 *
 * <pre>
 * instance ─ begins → StartGate (one a node) ─ report, once a second → StartDesk (one a cell)
 *                                            ← answer: brakes, permits ─
 * </pre>
 *
 * <p>While no brake is on and the cell has room, an instance begins at once and nothing is sent for
 * it; the report of its node counts it when it has ended. How many may begin so, a node is told
 * with each answer; the desk keeps as many places free for it until it reports again, at the latest
 * after five seconds. Otherwise it waits, durable, in the gate of its node until the desk gives
 * that node a permit. All numbers are absolute within a boot and an epoch, so messages may be lost,
 * late, doubled or overtake each other. The desk gives permits between definitions by weight
 * ({@link io.callboard.workflows.internal.dispatch.FairShare} states the bound), within one to the
 * node on which most wait, there by age.
 *
 * <h2>Messages</h2>
 *
 * <p>A message has a durable actor of its own, found by the id of the message, which {@link
 * io.callboard.workflows.internal.intake.IntakeMachine} decides for. So intake scales with the
 * partitions, a repeated message meets its receipt, and a receipt of the last day costs no memory.
 * One turn accepts the message; its builder is asked after that commit, in the scheduling zone of
 * builders ({@code builders}) or in its own, never on a thread of the toolkit; the answer starts
 * the instance in the turn that takes it; the end of the instance, told durably, settles the
 * message in the turn that takes it. A builder that fails is asked again with pauses, {@link
 * io.callboard.workflows.internal.intake.IntakeMachine#ATTEMPTS} times in all; then the message is
 * settled as failed. After the settlement the builder is asked for a next instance, at most {@link
 * io.callboard.workflows.internal.intake.IntakeMachine#MOST_LINKS} times. Gates count the messages
 * that are under way; over 20,000 in the cell new ones are refused with a delay.
 *
 * <h2>Invariants</h2>
 *
 * <ul>
 *   <li>B1: credit is never negative, and that of a brake without an override never below {@link
 *       io.callboard.workflows.internal.intake.BrakeMachine#PROBE}.
 *   <li>B2: a desk gives no permit over the credit of the definition, nor over the limit of the
 *       cell: what runs by the last reports, permits that are not reported as used, and what nodes
 *       may begin without, are counted.
 *   <li>B3: no start is lost: an instance that waits is let begin when failures have ended.
 *   <li>B4: every change of a brake has a cause and is persisted by the start ledger.
 *   <li>N1: an accepted message is settled exactly once.
 *   <li>N2: a message has one instance at a time, and each starts by the answer to its own
 *       question.
 *   <li>N3: when faults cease, every message comes to its end.
 *   <li>N4: a repeated message starts nothing again while its receipt is kept.
 * </ul>
 *
 * <h2>Failure windows</h2>
 *
 * <ul>
 *   <li>A node or the desk dies: outcomes that were not reported are not counted. The brake is a
 *       statistic.
 *   <li>A new desk hears the nodes for 5 s before it gives permits; permits of the earlier epoch
 *       are void. A node that reports later, or was silent for 15 s, is not counted meanwhile.
 *   <li>What begins in the second before a gate knows of a brake, or on a node that has just
 *       started, begins without a permit; it is counted from the next report on.
 *   <li>An instance moves to another node: it is counted there. One that waits asks there, at the
 *       end of the queue.
 *   <li>The answer of a builder is lost: it is asked again after a minute. A builder may be asked
 *       more than once for the same; one answer counts.
 *   <li>A builder does not return: it keeps its thread, which is reported as blocked, and is not
 *       asked again on that node. When it returns, its answer counts.
 *   <li>The zone of a builder is full, or has had no thread for 10 s: the receipt says so, and the
 *       builder is asked again with pauses, as if the cell had trouble.
 *   <li>Messages that are accepted within a second on several nodes may pass the limit together.
 *   <li>The desk cannot be asked: what waits goes on to wait, what a gate knows of no brake begins.
 * </ul>
 */
@NullMarked
@CheckReturnValue
package io.callboard.workflows.internal.intake;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
