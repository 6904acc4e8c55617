/**
 * Foundation of every part of a node: the durable context, timeouts, promises, permits and
 * counters.
 *
 * <p>{@link NodeContext} has name, options, time, randomness and the durable context of a node;
 * {@link TimeoutWheel} and {@link Timeouts} limit what is waited for; {@link Promises} complete on
 * the context of the caller; {@link WeightedLimiter} bounds what runs at once; {@link CallSite}
 * finds the line of the program that called.
 *
 * <p><b>Invariants.</b> Callers' code never runs on the durable context: a promise given to them
 * completes on theirs, or on one that callers without a context share. An ended wait leaves no
 * entry in the wheel.
 *
 * <p><b>Failure windows.</b> A timeout is up to two ticks of the wheel late ({@value
 * TimeoutWheel#TICK_MILLIS} ms each), longer if an event loop is held up. Once the Vert.x closes,
 * promises complete where they are completed.
 */
@NullMarked
@CheckReturnValue
package io.callboard.internal.context;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
