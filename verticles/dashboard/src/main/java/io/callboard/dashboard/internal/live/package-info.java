/**
 * WebSocket of the dashboard: states, not events, sent to subscribed clients at most once a tick.
 *
 * <h2>Protocol</h2>
 *
 * <p>A client subscribes to topics with queries. {@code Views} reads each topic once for all
 * clients that watch it, at most once a tick, and encodes each row once. {@code ClientSession}, a
 * machine without I/O, keeps for each subscription the rows that changed since the client was last
 * sent to; the last value wins.
 *
 * <h2>Invariants</h2>
 *
 * <ul>
 *   <li>While there is no client there is no timer, and nothing is read.
 *   <li>What is kept for a slow client is bounded by what it watches: it gets updates less often,
 *       never more than the present state.
 * </ul>
 *
 * <h2>Failure windows</h2>
 *
 * <p>The socket breaks: the client subscribes again and gets the current state. A reading fails:
 * the topic is read again at the next tick. A client that answers no ping is disconnected.
 *
 * <h2>Threading</h2>
 *
 * <p>{@link io.callboard.dashboard.internal.live.LiveFeed} runs on one context of its own; sockets
 * may belong to others.
 */
@NullMarked
@CheckReturnValue
package io.callboard.dashboard.internal.live;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
