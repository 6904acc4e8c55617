/**
 * Polling as a machine: when messages are taken from a source, and what is done for each. No I/O,
 * no clock.
 *
 * <h2>Protocol</h2>
 *
 * <pre>
 *                 ┌──────────── refused: later ───────────┐
 *  poll → READY ──┴→ SUBMITTING → durable ─ on_accept ────┼→ COMPLETING → gone
 *           ↑           │            ├ undecided → RUNNING → asked again
 *           │           │            └ on_complete → RUNNING → ended well → (EMITTING) ┘
 *           └ attempt+1 ┘ it had failed before     → failed → FAILING, comes back later
 *                                                  → failed for the last time, hopeless → DYING
 *  drain, stop: what is not durable, and at a stop what has not ended → RELEASING
 * </pre>
 *
 * <p>No state of it is durable. A message that comes again, in this life or another, is submitted
 * under the key of its first attempt, and the answer tells what has become of it: so the machine
 * walks to its present attempt; it begins with the one after those that its source counts as failed
 * ({@link io.callboard.pollers.source.SourceMessage#failures}). Submissions, acknowledgements and
 * extensions may be repeated without an effect. A source whose poll fails is closed and opened
 * again after a pause, and so is one whose other calls fail eight times in a row; it delivers again
 * what was taken. What cannot be sent after a success closes no source: its message is set aside at
 * once if it is refused for good, or after 500 failures, which take some hours.
 *
 * <p>The credit is the most that is taken and not acknowledged; so are 128 MiB of bodies, which the
 * last poll alone may exceed. No message is taken while submissions are refused, while operators
 * want none, or while the brake of the workflow leaves nothing. {@link
 * io.callboard.pollers.internal.poll.PollerReport} says why nothing is taken.
 *
 * <h2>Invariants</h2>
 *
 * <ul>
 *   <li>P1: no more messages are held than the credit; one poll is under way at most.
 *   <li>P2: a message is acknowledged only when it is durable and it is decided that it starts, and
 *       on completion only when it has ended well, and what is to be sent after it is sent.
 *   <li>P3: every message ends by one of acknowledged, given back after a failure, set aside, given
 *       back; or its lease is over, or its source closed, and it is delivered again.
 *   <li>P4: while calls succeed, no lease of a message that is held runs out. It is counted from
 *       the beginning of the poll.
 *   <li>P5: a message fails {@code attempts} times at most, then it is set aside.
 *   <li>P6: when faults cease, every message of the source ends; so after a stop nothing is held.
 * </ul>
 *
 * <h2>Failure windows</h2>
 *
 * <ul>
 *   <li>The node dies between an acknowledgement here and there: the source delivers again, the
 *       message is known, and it is acknowledged again.
 *   <li>The node dies between a failure and its report to the source: the next attempt begins at
 *       the next delivery, without its delay.
 *   <li>The end of an attempt is told while no poller holds its message, or to a poller that dies:
 *       the next delivery finds it. A message that is held is asked for every five minutes.
 *   <li>All attempts of a message take more than 24 hours: the first ones are forgotten, and unless
 *       its source counts its failures it is tried again from the first, until a failure after ten
 *       times {@code attempts} deliveries sets it aside, if the source counts those.
 *   <li>A message is sent after a success, and the node dies, or the source is closed, before the
 *       acknowledgement: it is sent again, with the same id. What several messages follow a success
 *       is otherwise sent once each: only those that failed are repeated.
 * </ul>
 */
@NullMarked
@CheckReturnValue
package io.callboard.pollers.internal.poll;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
