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
 * it; the report of its node counts it when it has ended. Otherwise it waits, durable, in the gate
 * of its node until the desk gives that node a permit. All numbers are absolute within a boot and
 * an epoch, so messages may be lost, late, doubled or overtake each other. The desk gives permits
 * between definitions by weight ({@link io.callboard.workflows.work.FairShare} states the bound),
 * within one to the node on which most wait, there by age.
 *
 * <h2>Invariants</h2>
 *
 * <ul>
 *   <li>B1: credit is never negative, and that of a brake without an override never below {@link
 *       io.callboard.workflows.intake.BrakeMachine#PROBE}.
 *   <li>B2: a desk gives no permit over the credit of the definition, nor over the limit of the
 *       cell: what runs by the last reports, and permits that are not reported as used, are
 *       counted.
 *   <li>B3: no start is lost: an instance that waits is let begin when failures have ended.
 *   <li>B4: every change of a brake has a cause and is persisted by the workflow master.
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
 *   <li>The desk cannot be asked: what waits goes on to wait, what a gate knows of no brake begins.
 * </ul>
 */
@NullMarked
@CheckReturnValue
package io.callboard.workflows.intake;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
