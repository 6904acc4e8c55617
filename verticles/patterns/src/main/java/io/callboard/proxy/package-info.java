/**
 * The base class of actors that stand before others: guards, routers, and those that users write.
 *
 * <h2>Protocol</h2>
 *
 * <p>A {@link io.callboard.proxy.ProxyActor} is a volatile actor that may do more with the message
 * being handled than other actors: forward it and be called back, forward it to several, answer it
 * later, or hold it ({@link io.callboard.HeldMessage}). The toolkit offers this to volatile actors
 * only, as {@link io.callboard.VolatileContext}: a durable actor's message leaves with its commit.
 *
 * <h2>Invariants</h2>
 *
 * <p>P1: a callback of {@code forward} is called once, whatever becomes of the message. P2: a held
 * message ends once; whoever waits for its answer gets one outcome.
 *
 * <h2>Failure windows</h2>
 *
 * <p>The proxy's node is lost: its callbacks are not called, and what it held is gone; asks time
 * out. The proxy restarts: what it holds is still to be ended by {@code stopped}; its callbacks are
 * called all the same.
 */
@NullMarked
@CheckReturnValue
package io.callboard.proxy;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
