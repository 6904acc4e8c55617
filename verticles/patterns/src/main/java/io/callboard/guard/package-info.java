/**
 * Guards: volatile actors that stand before one that uses something dangerous. Built on the public
 * API alone.
 *
 * <p>{@link io.callboard.guard.Guard} is the actor, {@link io.callboard.guard.Circuit} the machine
 * without I/O that decides about each message, {@link io.callboard.guard.GuardBuffer} carries that
 * out, {@link io.callboard.guard.GuardedChild} has the child. A message that the guard holds is a
 * {@link io.callboard.HeldMessage}.
 *
 * <h2>Protocol</h2>
 *
 * <p>Closed: the oldest of the held messages is given to the child, as long as that has fewer than
 * it may. A failure, or as many in a row as {@link io.callboard.guard.GuardOptions#openAfter} says,
 * opens the circuit: messages that the child has not begun are taken back, and none is given out
 * until the backoff has ended; then one message, the trial. Its success closes the circuit and
 * resets the backoff, its failure opens it again, with the next backoff. A message that was given
 * out before the circuit opened has no effect on it any more: its failure does not lengthen the
 * wait, its success acknowledges its message only. So a child that hangs and then answers late is
 * tried gently, too.
 *
 * <p>A message counts an attempt when the child had begun it. Where the child is down, or hangs in
 * another message, the guard waits longer and no message is charged. The deadline counts from the
 * beginning of the handler for the same reason: a message that waits behind fifteen others is not
 * late.
 *
 * <h2>Invariants</h2>
 *
 * <ul>
 *   <li>G1: each accepted message has one end: acknowledged, fallen back, given up or lapsed;
 *       {@link io.callboard.HeldMessage} lets one win where two come at the same moment.
 *   <li>G2: never more than the limit are held.
 *   <li>G3: the oldest held message is given out first; so with one in flight the order is that in
 *       which messages came, over all failures.
 *   <li>G4: while the circuit is not closed at most one message is given out.
 *   <li>G5: between two trials lies the backoff.
 * </ul>
 *
 * <h2>Failure windows</h2>
 *
 * <ul>
 *   <li>The child has handled a message and its outcome is late or lost: it is tried again, unless
 *       the late success comes first.
 *   <li>The guard fails or stops: the held messages are dead letters, and their askers fail.
 *   <li>The process dies: the held messages are gone, as with any volatile actor.
 *   <li>A child that does not end when it is replaced is left behind, as any actor.
 * </ul>
 */
@NullMarked
@CheckReturnValue
package io.callboard.guard;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
