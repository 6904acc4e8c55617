/**
 * Time of a node, injected: a clock, a monotonic clock, and timers. A test moves it by hand.
 *
 * <p><b>Invariants.</b> Nothing of a node reads the system's clock but through {@link
 * io.callboard.time.Time}; zones and links, which watch threads and connections, read the system's
 * monotonic clock. A type marked {@link io.callboard.time.Machine} takes the time as an argument.
 *
 * <p><b>Failure window.</b> The clocks of two machines differ: durable timers go by the clock of
 * the node that runs the actor, so after a move one is early or late by the difference. Who owns
 * what does not depend on clocks.
 */
@NullMarked
@CheckReturnValue
package io.callboard.time;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
