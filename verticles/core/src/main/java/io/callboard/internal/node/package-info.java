/**
 * One node put together: opens and closes its parts in order, and answers the API.
 *
 * <p>{@link CallboardImpl} is the node as programs see it, {@link NodeAdmin} as operators do.
 * {@link NodeAssembly} makes the parts and wires them by their constructors; nothing keeps it.
 * {@link NodeLifecycle} starts the parts in order; {@link Shutdown} closes them in the reverse
 * order, within the bound of {@link CloseLimit}; {@link NodeEnd} is why a node closes on its own.
 * {@link LocalActors} starts, finds and stops the actors of the node.
 *
 * <p>The parts are described in their own packages:
 *
 * <ul>
 *   <li>{@link io.callboard.internal.activation} holds durable actors in memory and activates them
 *       by mail; {@link io.callboard.internal.ownership} claims their partitions.
 *   <li>{@link io.callboard.internal.durable} and {@link io.callboard.internal.inmemory} run
 *       actors, on the turn loop of {@link io.callboard.internal.turn} and the lives of {@link
 *       io.callboard.internal.lifecycle}. {@link io.callboard.internal.recovery} gives a durable
 *       actor its state back, {@link io.callboard.internal.history} keeps its failures.
 *   <li>{@link io.callboard.internal.messaging} moves messages, over {@link
 *       io.callboard.internal.link} between nodes and {@link io.callboard.internal.eventbus} for
 *       plain Vert.x code.
 *   <li>{@link io.callboard.internal.commit} and {@link io.callboard.internal.outbox} make turns
 *       durable; {@link io.callboard.internal.parked} replays and discards parked messages.
 *   <li>{@link io.callboard.internal.membership} publishes facts and groups in the cell; {@link
 *       io.callboard.internal.supervisor} restarts actors; {@link io.callboard.internal.zone} has
 *       the threads.
 * </ul>
 *
 * <p><b>Invariants.</b> A part is opened after those that it uses and closed before them. A path
 * has one actor of this node at a time. Nothing is accepted once the node closes: callers get
 * {@code STOPPED}.
 *
 * <p><b>Failure windows.</b> A part does not open: those opened before it are closed, and {@code
 * create} fails. An event loop that is held shows no sign of life for {@code CloseLimit.SILENCE}:
 * the close fails and names who holds it. The process dies: nothing is closed, and all that is
 * durable is taken over by lease.
 */
@NullMarked
@CheckReturnValue
package io.callboard.internal.node;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
