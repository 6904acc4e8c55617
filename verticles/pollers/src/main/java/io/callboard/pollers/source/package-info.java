/**
 * Interface between a poller and the system that it polls: what a kind of source implements.
 *
 * <p>The order is always the same: what was taken is made durable here first, then it is
 * acknowledged there. So a crash at any moment can double a delivery and lose none; the id of the
 * message makes the doubled one the same message ({@link
 * io.callboard.pollers.source.SourceMessage#id()}).
 *
 * <h2>Promises of a source</h2>
 *
 * <ul>
 *   <li>S1: what was not completed or set aside is delivered again after its client has died: at
 *       once, or when its lease is over.
 *   <li>S2: what was completed is not delivered again, except if the answer was lost.
 *   <li>S3: a poll takes no more than it was asked for, and nothing is taken without one.
 *   <li>S4: the id of a message is the same at each delivery, and no other message has it.
 *   <li>S5: what failed comes back, not before its delay if the system knows delays.
 *   <li>S6: what is set aside is kept with its cause, and not delivered again.
 *   <li>S7: what cannot be read is set aside by itself; it fails no poll, and holds no other.
 *   <li>S8: a poll takes no further message after {@link
 *       io.callboard.pollers.source.Source#MOST_BYTES}, also the first one of a backlog.
 *   <li>S9: what cannot be set aside is its trouble ({@link
 *       io.callboard.pollers.source.Source#trouble}) until it is; so is what cannot be taken.
 * </ul>
 *
 * <p>The conformance kit {@code SourceContract}, in the tests, checks them against the real system,
 * with a client that is cut off at each step.
 */
@NullMarked
@CheckReturnValue
package io.callboard.pollers.source;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
