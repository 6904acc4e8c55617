/**
 * Worlds: cells of which everything but the actors is played, in one thread and by a seed, so that
 * hundreds of them pass in seconds. For the rehearsals of Callboard's own verticles.
 *
 * <h2>Protocol</h2>
 *
 * <p>A {@link io.callboard.testkit.internal.world.WorldCell} has nodes ({@link
 * io.callboard.testkit.internal.world.WorldNode}), each of which is a {@code Callboard} of its own
 * clock, and the messages between them. Durable actors ({@link
 * io.callboard.testkit.internal.world.DurableLife}) run on one node at a time; volatile ones, with
 * their children, on the node that has started them. The objects of actors are the real ones.
 * {@link io.callboard.testkit.internal.world.WorldWatch} sees what happens, and may play a flaw.
 *
 * <h2>Invariants</h2>
 *
 * <ul>
 *   <li>A turn of a durable actor is committed as a whole or leaves nothing; its state is written
 *       and read back at each start.
 *   <li>What a turn sends to a durable actor comes once, in the order of its sender. Who is no
 *       durable actor may not learn whether his message was stored.
 *   <li>What is volatile comes in any order, at any time later, twice or never, except on one and
 *       the same node: there it comes at once.
 *   <li>An ask ends with the answer, with a failure or with its timeout.
 *   <li>An object of an actor is told to stop before the next one of its path starts on that node;
 *       the one on a node that has lost the actor, some time later.
 * </ul>
 *
 * <h2>Failure windows</h2>
 *
 * <p>What these actors do not use is missing, and says so. Attempts of a message are not counted:
 * one whose asynchronous handler fails is handled again until it succeeds, as if people replayed
 * what is parked.
 */
@NullMarked
@CheckReturnValue
package io.callboard.testkit.internal.world;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
