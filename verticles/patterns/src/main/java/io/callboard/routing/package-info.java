/**
 * Routers: volatile actors that pass messages on to others. Built on the public API alone; a router
 * of another kind is an actor written like these.
 *
 * <h2>Protocol</h2>
 *
 * <p>{@link io.callboard.routing.Routing} says to whom, {@link io.callboard.routing.Routers} makes
 * them. A {@link io.callboard.routing.Picker}, a machine without I/O, decides which routee gets a
 * message. The router itself is an actor: its mailbox bounds the messages that wait for a choice,
 * and the answer of a routee goes to the original asker.
 *
 * <h2>Invariants</h2>
 *
 * <p>R1: messages of one sender through one router reach each routee in their order. R2: a message
 * without a routee is refused: its asker fails, and it is a dead letter.
 *
 * <h2>Failure windows</h2>
 *
 * <p>A routee ends with messages in its mailbox: each is a dead letter, and its asker fails. The
 * router's node is lost: the messages in the router's mailbox are gone, as with any volatile actor.
 */
@NullMarked
@CheckReturnValue
package io.callboard.routing;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
