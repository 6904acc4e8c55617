/**
 * Guards: volatile actors that stand before one that uses something dangerous. {@link
 * io.callboard.guard.Guard} is the actor, {@link io.callboard.guard.Circuit} the machine without
 * I/O that says what is done with each message, {@link io.callboard.guard.GuardBuffer} does it,
 * {@link io.callboard.guard.GuardedChild} has the child. Nothing here but the front door is used:
 * {@link io.callboard.HeldMessage} is what a message is to whoever keeps it.
 *
 * <p><b>The circuit.</b> Closed: the oldest of what is held is given to the child, as long as that
 * has fewer than it may. A failure, or so many one after the other as {@link
 * io.callboard.guard.GuardOptions#openAfter} says, opens it: what the child has not begun is taken
 * back, and nothing is given out until the backoff is over; then one message, the trial. Its
 * success closes the circuit and resets the backoff, its failure opens it again, with the next
 * backoff. What was given out before the circuit opened says nothing about it any more: its failure
 * does not lengthen the wait, its success acknowledges its message only. So a child that hangs and
 * then answers late is tried gently, too.
 *
 * <p>A message counts an attempt when the child had begun it. Where the child is down, or hangs in
 * another message, the guard waits longer and no message is charged. The deadline counts from the
 * beginning of the handler for the same reason: what waits behind fifteen others is not late.
 *
 * <p><b>Invariants.</b> G1: each accepted message has one end: acknowledged, fallen back, given up
 * or lapsed; {@link io.callboard.HeldMessage} lets one win where two come at the same moment. G2:
 * never more than the limit are kept. G3: of what is held the oldest is given out first; so with
 * one under way the order is that in which messages came, over all failures. G4: while the circuit
 * is not closed at most one message is given out. G5: between two trials lies the backoff.
 *
 * <p><b>Failure windows.</b> The child has handled a message and its outcome is late or lost: it is
 * tried again, unless the late success comes first. The guard fails or stops: what it keeps are
 * dead letters, and whoever asked is told. The process dies: what it kept is gone, as with any
 * volatile actor. A child that does not end when it is replaced is left behind, as any actor.
 */
@NullMarked
@CheckReturnValue
package io.callboard.guard;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
