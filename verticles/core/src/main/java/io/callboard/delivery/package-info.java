/**
 * Between durable actors and the world outside of the cell. Among durable actors every message has
 * its effect exactly once, by the turn; with anybody else one side has to remember.
 *
 * <p>From the outside: {@link io.callboard.delivery.Received} is a part of the receiving actor's
 * state, so it changes with the turn that handles the message, and remembers for as long as the
 * actor is there. <b>Invariant</b> R1: of the messages of one session of one sender, each number is
 * judged {@code NEXT} once, in order. <b>Windows:</b> the answer is lost, and the message comes
 * again: {@code DUPLICATE}. A sender that is forgotten ({@code without}) and sends again is taken
 * for a new one.
 */
@NullMarked
@CheckReturnValue
package io.callboard.delivery;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
