/**
 * Routers: volatile actors that pass messages on to others. {@link io.callboard.routing.Routing}
 * says to whom, {@link io.callboard.routing.Routers} makes them. Nothing here but the front door is
 * used; whoever needs another kind writes an actor like these.
 *
 * <p>Which routee gets a message is decided by a {@link io.callboard.routing.Picker}, a machine
 * without I/O. The router itself is an actor: its mailbox bounds what waits for a choice, and who
 * asked stays the one who is answered.
 *
 * <p><b>Invariants.</b> R1: messages of one sender through one router reach each routee in their
 * order. R2: a message without a routee is refused: its asker fails, and it is a dead letter.
 * <b>Failure windows.</b> A routee ends with messages in its mailbox: each is a dead letter, and
 * its asker fails. The router's node is lost: what was in the router's mailbox is gone, as with any
 * volatile actor.
 */
@NullMarked
@CheckReturnValue
package io.callboard.routing;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
